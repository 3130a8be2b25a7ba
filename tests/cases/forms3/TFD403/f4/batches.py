import numpy as np
import tensorflow as tf

_data = np.load("motor.npz")
_ds = tf.data.Dataset.from_tensor_slices((_data["x"].astype("float32"), _data["y"]))
_ds = _ds.shuffle(len(_data["y"])).repeat().batch(100).prefetch(tf.data.AUTOTUNE)


def sample():
    return _ds.as_numpy_iterator().next()
