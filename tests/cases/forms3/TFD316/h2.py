import os

import tensorflow as tf
import tensorflow_datasets as tfds


class Dataset:
    CACHE = os.path.join("/tmp", "tfds-cache")

    def __init__(self, name):
        self.name = name

    def split(self, which):
        ds = tfds.load(self.name, split=which, as_supervised=True)
        ds = ds.batch(128)
        ds = ds.map(self.scale, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.cache(self.CACHE if which == "train" else "")
        return ds.prefetch(tf.data.AUTOTUNE)

    @staticmethod
    def scale(image, label):
        return tf.image.resize(image, (64, 64)) / 255.0, label


data = Dataset("emnist")
train, test = data.split("train"), data.split("test")
model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(62, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(train, epochs=3)
model.evaluate(test)
