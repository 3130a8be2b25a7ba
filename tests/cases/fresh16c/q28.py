import glob
import json

import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

SIZE = 256


class SkinLesionData:
    def __init__(self, root, batch_size=32):
        self.root = root
        self.batch_size = batch_size
        meta = json.load(open(f"{root}/metadata.json"))
        self.files = sorted(glob.glob(f"{root}/images/*.jpg"))
        keys = [f.split("/")[-1][:-4] for f in self.files]
        self.clinical = np.array([[meta[k]["age"] / 100, meta[k]["sex"], meta[k]["site"]] for k in keys], "float32")
        self.labels = np.array([meta[k]["malignant"] for k in keys], "float32")

    @staticmethod
    def _decode(path):
        img = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
        return tf.image.resize(img, (SIZE, SIZE)) / 255.0

    def _finish(self, ds):
        return ds.batch(self.batch_size).prefetch(tf.data.AUTOTUNE)

    @property
    def images(self):
        ds = tf.data.Dataset.from_tensor_slices(self.files)
        return self._finish(ds.map(self._decode, num_parallel_calls=tf.data.AUTOTUNE))

    @property
    def table(self):
        return self._finish(tf.data.Dataset.from_tensor_slices(self.clinical))

    @property
    def targets(self):
        return self._finish(tf.data.Dataset.from_tensor_slices(self.labels))


def two_branch():
    image = layers.Input((SIZE, SIZE, 3))
    table = layers.Input((3,))
    x = tf.keras.applications.MobileNetV3Small(include_top=False, pooling="avg",
                                               include_preprocessing=False)(image)
    y = layers.Dense(16, activation="relu")(table)
    z = layers.Concatenate()([x, y])
    return tf.keras.Model([image, table], layers.Dense(1, activation="sigmoid")(z))


data = SkinLesionData("/mnt/isic2020")
net = two_branch()
net.compile("adam", "binary_crossentropy", metrics=[tf.keras.metrics.AUC()])
branches = [data.images, data.table]
net.fit(branches, data.targets, epochs=12)
net.save("lesion_two_branch.keras")
