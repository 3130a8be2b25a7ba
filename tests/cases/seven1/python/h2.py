import csv

import numpy as np
import tensorflow as tf


def rows(path):
    with open(path, newline="") as fh:
        for rec in csv.reader(fh):
            yield [float(v) for v in rec[:-1]], int(rec[-1])


pairs = list(rows("/data/wine.csv"))
x = np.array([p[0] for p in pairs], np.float32)
y = np.array([p[1] for p in pairs], np.int64)
x = (x - x.mean(0)) / x.std(0)

ds = tf.data.Dataset.from_tensor_slices((x, y))
ds = ds.shuffle(len(y)).batch(64).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([tf.keras.layers.Dense(32, activation="relu"), tf.keras.layers.Dense(3)])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(ds, epochs=100)
