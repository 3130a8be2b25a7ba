import os

import numpy as np
import tensorflow as tf


class FolderData:
    """Images in class folders; experiments override `augment`."""

    def __init__(self, root, image_size=128, batch_size=32):
        self.root = root
        self.image_size = image_size
        self.batch_size = batch_size
        self.class_names = np.array(sorted(os.listdir(root)))

    def load(self, path):
        image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
        image = tf.image.resize(image, [self.image_size, self.image_size]) / 255.0
        label = tf.argmax(tf.strings.split(path, os.sep)[-2] == self.class_names)
        return image, label

    def augment(self, image, label):
        return tf.image.per_image_standardization(image), label

    def dataset(self):
        files = sorted(tf.io.gfile.glob(os.path.join(self.root, "*", "*.jpg")))
        ds = tf.data.Dataset.from_tensor_slices(files)
        ds = ds.map(self.load, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.map(self.augment)
        ds = ds.batch(self.batch_size)
        return ds.prefetch(tf.data.AUTOTUNE)
