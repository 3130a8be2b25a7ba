import math

import keras
import numpy as np
import tensorflow as tf
from skimage import io, transform


class Slides(keras.utils.Sequence):
    def __init__(self, names, labels, batch_size):
        super().__init__()
        self.names, self.labels, self.batch_size = names, labels, batch_size

    def __len__(self):
        return math.ceil(len(self.names) / self.batch_size)

    def __getitem__(self, i):
        part = slice(i * self.batch_size, (i + 1) * self.batch_size)
        x = [transform.resize(io.imread(n), (299, 299, 3)) for n in self.names[part]]
        return np.asarray(x, np.float32), np.asarray(self.labels[part], np.int32)


index = np.genfromtxt("/data/slides/train.csv", delimiter=",", dtype=None, encoding="utf-8")
seq = Slides([r[0] for r in index], [r[1] for r in index], 32)

ds = tf.data.Dataset.from_generator(
    lambda: (seq[i] for i in np.random.permutation(len(seq))),
    output_signature=(tf.TensorSpec((None, 299, 299, 3)), tf.TensorSpec((None,), tf.int32)),
)
ds = ds.prefetch(tf.data.AUTOTUNE)

model = keras.applications.InceptionV3(weights=None, classes=4)
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(ds, epochs=15)
