import numpy as np
import tensorflow as tf

_arrays = np.load("corpus.npz")
SIZE = len(_arrays["label"])


def sentences():
    ds = tf.data.Dataset.from_tensor_slices({"ids": _arrays["ids"], "label": _arrays["label"]})
    return ds.shuffle(SIZE)
