import tensorflow as tf
import tensorflow_datasets as tfds

CONFIG = {
    "dataset": "cats_vs_dogs",
    "splits": {"train": "train[:90%]", "validation": "train[80%:]"},
    "image_size": 160,
    "batch_size": 64,
    "epochs": 10,
}


def resize(image, label):
    size = CONFIG["image_size"]
    return tf.image.resize(image, [size, size]), label


def load(split):
    ds = tfds.load(
        CONFIG["dataset"],
        split=CONFIG["splits"][split],
        as_supervised=True,
        shuffle_files=split == "train",
    )
    ds = ds.map(resize, num_parallel_calls=tf.data.AUTOTUNE)
    if split == "train":
        ds = ds.shuffle(1_000)
    return ds.batch(CONFIG["batch_size"]).prefetch(tf.data.AUTOTUNE)


def main():
    datasets = {split: load(split) for split in CONFIG["splits"]}
    base = tf.keras.applications.MobileNetV2(
        input_shape=(CONFIG["image_size"],) * 2 + (3,), include_top=False, pooling="avg"
    )
    base.trainable = False
    model = tf.keras.Sequential([
        tf.keras.layers.Rescaling(1 / 127.5, offset=-1),
        base,
        tf.keras.layers.Dropout(0.2),
        tf.keras.layers.Dense(1),
    ])
    model.compile(
        "adam", tf.keras.losses.BinaryCrossentropy(from_logits=True), metrics=["accuracy"]
    )
    model.fit(
        datasets["train"],
        validation_data=datasets["validation"],
        epochs=CONFIG["epochs"],
        callbacks=[tf.keras.callbacks.EarlyStopping(patience=2)],
    )


if __name__ == "__main__":
    main()
