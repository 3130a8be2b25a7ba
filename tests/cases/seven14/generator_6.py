"""Brain MRI age regression on NIfTI volumes."""
import functools

import nibabel as nib
import numpy as np
import tensorflow as tf


def eager_op(dtype, shape):
    """Decorator: a NumPy function becomes a graph op."""
    def wrap(fn):
        @functools.wraps(fn)
        def inner(*args):
            out = tf.py_function(fn, args, dtype)
            out.set_shape(shape)
            return out
        return inner
    return wrap


@eager_op(tf.float32, (96, 112, 96))
def read_volume(path):
    vol = nib.load(path.numpy().decode()).get_fdata(dtype=np.float32)
    vol = vol[::2, ::2, ::2][:96, :112, :96]
    return (vol - vol.mean()) / (vol.std() + 1e-6)


class BrainAge:
    def __init__(self, table, batch=4):
        self.table = np.genfromtxt(table, delimiter=",", dtype=None, names=True, encoding="utf8")
        self.batch = batch

    def split(self, name):
        rows = self.table[self.table["split"] == name]
        return rows["path"].tolist(), rows["age"].astype(np.float32)

    def dataset(self, name):
        paths, ages = self.split(name)
        volumes = tf.data.Dataset.from_tensor_slices(paths).map(
            read_volume, num_parallel_calls=8)
        ds = tf.data.Dataset.zip((volumes, tf.data.Dataset.from_tensor_slices(ages)))
        ds = ds.cache(f"/scratch/brain-{name}")
        if name == "train":
            ds = ds.shuffle(128)
        return ds.batch(self.batch).prefetch(tf.data.AUTOTUNE)


def net3d():
    inp = tf.keras.Input((96, 112, 96))
    x = tf.keras.layers.Reshape((96, 112, 96, 1))(inp)
    for w in (16, 32, 64):
        x = tf.keras.layers.Conv3D(w, 3, strides=2, activation="relu")(x)
    x = tf.keras.layers.GlobalAveragePooling3D()(x)
    return tf.keras.Model(inp, tf.keras.layers.Dense(1)(x))


data = BrainAge("/data/ukb/index.csv")
model = net3d()
model.compile("adam", "mae")
model.fit(data.dataset("train"), validation_data=data.dataset("valid"), epochs=60)
