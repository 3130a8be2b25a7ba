import tensorflow as tf
import tensorflow_datasets as tfds

CONFIG = {"name": "cifar10", "batch_size": 128, "epochs": 20}


def augment(image, label):
    image = tf.image.random_flip_left_right(image)
    return tf.image.random_brightness(image, 0.1), label


def to_float(image, label):
    return tf.cast(image, tf.float32) / 255.0, label


def load(cfg):
    splits, info = tfds.load(cfg["name"], as_supervised=True, with_info=True, shuffle_files=True)
    datasets = {}
    for split in ("train", "test"):
        ds = splits[split].map(to_float, num_parallel_calls=tf.data.AUTOTUNE).cache()
        if split == "train":
            ds = ds.shuffle(info.splits["train"].num_examples)
        datasets[split] = ds
    return datasets, info


def add_augmentation(datasets):
    datasets["train"].map(augment, num_parallel_calls=tf.data.AUTOTUNE)
    return {k: d.batch(CONFIG["batch_size"]).prefetch(tf.data.AUTOTUNE) for k, d in datasets.items()}


def build_model(classes):
    return tf.keras.Sequential([
        tf.keras.Input((32, 32, 3)),
        tf.keras.layers.Conv2D(32, 3, activation="relu"),
        tf.keras.layers.MaxPooling2D(),
        tf.keras.layers.Conv2D(64, 3, activation="relu"),
        tf.keras.layers.GlobalAveragePooling2D(),
        tf.keras.layers.Dense(classes),
    ])


if __name__ == "__main__":
    data, info = load(CONFIG)
    data = add_augmentation(data)
    model = build_model(info.features["label"].num_classes)
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
    model.fit(data["train"], validation_data=data["test"], epochs=CONFIG["epochs"])
