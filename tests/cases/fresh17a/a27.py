"""Retina grading with an estimator-like wrapper."""
import functools
import glob

import numpy as np
import tensorflow as tf

augment = tf.keras.Sequential([
    tf.keras.layers.RandomFlip("horizontal"),
    tf.keras.layers.RandomContrast(0.3),
    tf.keras.layers.RandomBrightness(0.2, value_range=(0.0, 1.0)),
])


def read(path, grade):
    img = tf.io.decode_png(tf.io.read_file(path), channels=3)
    return tf.image.resize(img, (256, 256)) / 255.0, grade


def vary(images, grade):
    return augment(images, training=True), grade


class RetinaGrader:
    per_image = (read,)
    per_batch = (vary,)

    def __init__(self, root, batch=32):
        self.root, self.batch = root, batch
        self.net = tf.keras.Sequential([
            tf.keras.layers.Conv2D(32, 5, strides=2, activation="relu"),
            tf.keras.layers.Conv2D(64, 3, strides=2, activation="relu"),
            tf.keras.layers.Conv2D(128, 3, strides=2, activation="relu"),
            tf.keras.layers.GlobalAveragePooling2D(),
            tf.keras.layers.Dense(5),
        ])
        self.net.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), ["accuracy"])

    def _input(self, split):
        paths = np.array(sorted(glob.glob(f"{self.root}/{split}/*/*.png")))
        grades = np.array([int(p.split("/")[-2]) for p in paths])
        ds = tf.data.Dataset.from_tensor_slices((paths, grades))
        if split == "train":
            ds = ds.shuffle(len(paths))
        apply = lambda d, fn: d.map(fn, num_parallel_calls=tf.data.AUTOTUNE)
        ds = functools.reduce(apply, self.per_image, ds).batch(self.batch)
        return functools.reduce(apply, self.per_batch, ds).prefetch(tf.data.AUTOTUNE)

    def train(self, epochs):
        self.net.fit(self._input("train"), epochs=epochs)

    def evaluate(self):
        return self.net.evaluate(self._input("test"), return_dict=True)


if __name__ == "__main__":
    grader = RetinaGrader("/data/retina")
    grader.train(20)
    print(grader.evaluate())
