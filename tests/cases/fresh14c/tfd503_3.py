import tensorflow as tf
import tensorflow_datasets as tfds

AUTOTUNE = tf.data.AUTOTUNE
PROFILE_WINDOW = (20, 25)


def to_float(images, labels):
    return tf.cast(images, tf.float32) / 255.0, labels


def load(split, batch_size, training):
    ds = tfds.load("fashion_mnist", split=split, as_supervised=True, shuffle_files=training)
    ds = ds.cache()
    if training:
        ds = ds.shuffle(60_000)
    ds = ds.batch(batch_size)
    ds = ds.map(to_float, num_parallel_calls=AUTOTUNE)
    return ds.prefetch(AUTOTUNE)


def build():
    return tf.keras.Sequential(
        [
            tf.keras.Input([28, 28, 1]),
            tf.keras.layers.Conv2D(32, 3, activation="relu"),
            tf.keras.layers.MaxPool2D(),
            tf.keras.layers.Conv2D(64, 3, activation="relu"),
            tf.keras.layers.Flatten(),
            tf.keras.layers.Dense(128, activation="relu"),
            tf.keras.layers.Dense(10),
        ]
    )


def main():
    model = build()
    model.compile(
        "adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"]
    )
    board = tf.keras.callbacks.TensorBoard("logs/fashion", profile_batch=PROFILE_WINDOW)
    model.fit(
        load("train", 128, True),
        validation_data=load("test", 128, False),
        epochs=8,
        callbacks=[board],
    )


if __name__ == "__main__":
    main()
