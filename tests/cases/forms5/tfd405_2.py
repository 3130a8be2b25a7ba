import dataclasses

import tensorflow as tf
import tensorflow_datasets as tfds


@dataclasses.dataclass
class Splits:
    train: tf.data.Dataset
    valid: tf.data.Dataset


def scale(image, label):
    return tf.cast(image, tf.float32) / 255.0, label


def prepare(split, batch_size):
    ds = tfds.load("svhn_cropped", split=split, as_supervised=True, shuffle_files=True)
    ds = ds.shuffle(20_000).repeat().batch(batch_size)
    return ds.map(scale, num_parallel_calls=tf.data.AUTOTUNE).prefetch(2)


def load(batch_size=256):
    return Splits(
        train=prepare("train[:90%]", batch_size),
        valid=prepare("train[90%:]", batch_size),
    )


model = tf.keras.Sequential([
    tf.keras.layers.Input((32, 32, 3)),
    tf.keras.layers.Conv2D(64, 3, activation="relu"),
    tf.keras.layers.Conv2D(64, 3, strides=2, activation="relu"),
    tf.keras.layers.Flatten(),
    tf.keras.layers.Dense(10, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
data = load()
model.fit(
    data.train,
    epochs=20,
    steps_per_epoch=73257 * 9 // 10 // 256,
    validation_data=data.valid,
)
