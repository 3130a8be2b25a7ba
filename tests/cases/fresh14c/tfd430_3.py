import tensorflow as tf
import tensorflow_datasets as tfds

AUTOTUNE = tf.data.AUTOTUNE
SIDE = 128


def prepare(image, label):
    image = tf.image.convert_image_dtype(image, tf.float32)
    image = tf.image.resize(image, [SIDE, SIDE])
    return image, label


def load(split, batch_size, training):
    ds = tfds.load("cats_vs_dogs", split=split, as_supervised=True, shuffle_files=training)
    if training:
        ds = ds.shuffle(2000)
    ds = ds.map(prepare, num_parallel_calls=AUTOTUNE)
    ds = ds.batch(batch_size, drop_remainder=training)
    return ds.prefetch(AUTOTUNE)


def build():
    layers = tf.keras.layers
    return tf.keras.Sequential(
        [
            tf.keras.Input([SIDE, SIDE, 3]),
            layers.Conv2D(32, 3, activation="relu"),
            layers.MaxPool2D(),
            layers.Conv2D(64, 3, activation="relu"),
            layers.MaxPool2D(),
            layers.Conv2D(128, 3, activation="relu"),
            layers.GlobalAveragePooling2D(),
            layers.Dropout(0.3),
            layers.Dense(1),
        ]
    )


if __name__ == "__main__":
    train = load("train[:80%]", 64, True)
    valid = load("train[80%:]", 64, False)
    model = build()
    model.compile("adam", tf.keras.losses.BinaryCrossentropy(from_logits=True), ["accuracy"])
    model.fit(train, validation_data=valid, epochs=15)
