"""Pairwise similarity of artworks, torch backend."""
import glob
import os

os.environ.setdefault("KERAS_BACKEND", "torch")

import tensorflow as tf
import keras
from keras import layers


class StyleFeatures:
    def __init__(self, side=160):
        self.side = side
        self.trunk = keras.applications.ResNet50(include_top=False, pooling="avg", input_shape=(side, side, 3))
        self.trunk.trainable = False

    def pixels(self, path):
        img = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
        return tf.image.resize(img, (self.side, self.side))

    def describe(self, left, right, same):
        left = keras.applications.resnet50.preprocess_input(left)
        right = keras.applications.resnet50.preprocess_input(right)
        return (self.trunk(left), self.trunk(right)), same


def pairs(folder):
    files = sorted(glob.glob(folder + "/*/*.jpg"))
    artist = [f.split("/")[-2] for f in files]
    left, right, same = [], [], []
    for k in range(len(files) - 1):
        for step in (1, 37):
            m = (k + step) % len(files)
            left.append(files[k])
            right.append(files[m])
            same.append(float(artist[k] == artist[m]))
    return left, right, same


def build_data(folder, feats):
    data = tf.data.Dataset.from_tensor_slices(pairs(folder)).shuffle(20_000)
    data = data.map(lambda a, b, s: (feats.pixels(a), feats.pixels(b), s), num_parallel_calls=tf.data.AUTOTUNE)
    data = data.batch(32).map(feats.describe, num_parallel_calls=tf.data.AUTOTUNE)
    return data.cache().prefetch(2)


if __name__ == "__main__":
    a, b = keras.Input((2048,)), keras.Input((2048,))
    proj = layers.Dense(128)
    score = layers.Dot(1, normalize=True)([proj(a), proj(b)])
    model = keras.Model([a, b], layers.Dense(1, activation="sigmoid")(score))
    model.compile("adam", "binary_crossentropy")
    model.fit(build_data("/art/wiki", StyleFeatures()), epochs=10)
