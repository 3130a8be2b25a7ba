import random

import h5py
import numpy as np
import tensorflow as tf
from tensorflow.keras import layers


class SliceSource:
    """Yields (slice, mask) pairs of fastMRI-like volumes."""

    def __init__(self, files, shuffle):
        self.files = list(files)
        self.shuffle = shuffle

    def __call__(self):
        files = random.sample(self.files, len(self.files)) if self.shuffle else self.files
        for path in files:
            with h5py.File(path, "r") as f:
                vol, seg = f["volume"], f["mask"]
                for z in range(vol.shape[0]):
                    yield vol[z].astype(np.float32)[..., None], seg[z].astype(np.int32)


class MRIDataModule:
    def __init__(self, index_file, batch_size=16, size=320):
        with open(index_file) as f:
            self.files = [row.strip() for row in f]
        self.batch_size = batch_size
        self.size = size

    def _dataset(self, files, training):
        sig = (
            tf.TensorSpec((self.size, self.size, 1), tf.float32),
            tf.TensorSpec((self.size, self.size), tf.int32),
        )
        ds = tf.data.Dataset.from_generator(SliceSource(files, training), output_signature=sig)
        if training:
            ds = ds.shuffle(2000)
        ds = ds.batch(self.batch_size, drop_remainder=training)
        ds = ds.map(self._normalize, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.prefetch(tf.data.AUTOTUNE)

    @staticmethod
    def _normalize(x, y):
        mean, var = tf.nn.moments(x, axes=[1, 2, 3], keepdims=True)
        return (x - mean) / tf.sqrt(var + 1e-6), y

    def train_dataset(self):
        return self._dataset(self.files[:900], True)

    def val_dataset(self):
        return self._dataset(self.files[900:], False)


def build(size):
    inp = layers.Input((size, size, 1))
    x = layers.Conv2D(32, 3, padding="same", activation="relu")(inp)
    x = layers.Conv2D(64, 3, padding="same", activation="relu")(x)
    return tf.keras.Model(inp, layers.Conv2D(4, 1)(x))


if __name__ == "__main__":
    dm = MRIDataModule("/data/mri/index.txt")
    model = build(dm.size)
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(dm.train_dataset(), validation_data=dm.val_dataset(), epochs=25)
