from dataclasses import dataclass, field
from typing import Callable, List

import cv2
import numpy as np
import tensorflow as tf


@dataclass
class Augment:
    ops: List[Callable] = field(default_factory=list)

    def __call__(self, image):
        for op in self.ops:
            image = op(image)
        return image.astype(np.float32)

    def graph(self, image, label):
        out = tf.numpy_function(self, [image], tf.float32)
        return tf.ensure_shape(out, image.shape), label


def flip(img):
    return cv2.flip(img, 1) if np.random.rand() < 0.5 else img


def brightness(img):
    return np.clip(img * np.random.uniform(0.8, 1.2), 0, 255)


def blur(img):
    return cv2.GaussianBlur(img, (5, 5), 0) if np.random.rand() < 0.2 else img


def decode(path, label):
    img = tf.image.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.resize(img, (192, 192)), label


def build(paths, labels, augment, batch):
    ds = tf.data.Dataset.from_tensor_slices((paths, labels)).shuffle(len(paths))
    ds = ds.map(decode, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.map(augment.graph, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def main():
    paths = np.loadtxt("weeds/paths.txt", dtype=str)
    labels = np.loadtxt("weeds/labels.txt", dtype=np.int64)
    ds = build(paths, labels, Augment([flip, brightness, blur]), 48)
    base = tf.keras.applications.MobileNetV3Small(input_shape=(192, 192, 3), include_top=False, pooling="avg")
    net = tf.keras.Sequential([base, tf.keras.layers.Dense(9)])
    net.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    net.fit(ds, epochs=15)


if __name__ == "__main__":
    main()
