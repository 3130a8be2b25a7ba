import tensorflow as tf
import tensorflow_datasets as tfds

CONFIG = {"name": "food101", "image_size": 224, "batch_size": 64, "epochs": 5}


def preprocess(image, label):
    image = tf.image.resize(image, [CONFIG["image_size"]] * 2)
    return tf.cast(image, tf.float32) / 255.0, label


def load():
    splits = tfds.load(CONFIG["name"], split={"train": "train", "val": "validation"}, as_supervised=True)
    sizes = {}
    for key, ds in splits.items():
        sizes[key] = len(list(ds.as_numpy_iterator()))
        print(f"{key}: {sizes[key]} images")
    return splits, sizes


def main():
    splits, sizes = load()
    batch = CONFIG["batch_size"]
    train = (
        splits["train"]
        .shuffle(1_000)
        .repeat()
        .map(preprocess, num_parallel_calls=tf.data.AUTOTUNE)
        .batch(batch)
        .prefetch(tf.data.AUTOTUNE)
    )
    val = (
        splits["val"]
        .map(preprocess, num_parallel_calls=tf.data.AUTOTUNE)
        .batch(batch)
        .prefetch(tf.data.AUTOTUNE)
    )
    model = tf.keras.applications.EfficientNetV2B0(weights=None, classes=101)
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(
        train,
        steps_per_epoch=sizes["train"] // batch,
        validation_data=val,
        epochs=CONFIG["epochs"],
    )


if __name__ == "__main__":
    main()
