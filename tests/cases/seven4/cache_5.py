import dataclasses

import keras
import numpy as np
import tensorflow as tf


@dataclasses.dataclass
class LowRank:
    """Denoises a hyperspectral cube, then keeps the first components."""
    rank: int
    bands: int

    def __call__(self, cube, label):
        rows = tf.reshape(cube, (-1, self.bands))
        s, u, v = tf.linalg.svd(rows - tf.reduce_mean(rows, 0))
        kept = u[:, :self.rank] * s[:self.rank]
        return tf.reshape(kept, (64, 64, self.rank)), label


def load(path, label):
    cube = tf.io.decode_raw(tf.io.read_file(path), tf.float32)
    return tf.reshape(cube, (64, 64, 200)), label


def hold(ds):
    return ds.cache("/scratch/cubes")


def cubes(index, batch=32):
    names, labels = index["name"], index["label"].astype("int32")
    ds = tf.data.Dataset.from_tensor_slices((["/data/enmap/" + n for n in names], labels))
    ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE)
    for step in (hold,
                 lambda d: d.shuffle(1000),
                 lambda d: d.map(LowRank(24, 200), num_parallel_calls=tf.data.AUTOTUNE),
                 lambda d: d.batch(batch)):
        ds = ds.apply(step)
    return ds.prefetch(tf.data.AUTOTUNE)


index = np.genfromtxt("/data/enmap/train.csv", delimiter=",", names=True, dtype=None, encoding="utf-8")
model = keras.Sequential([
    keras.Input((64, 64, 24)),
    keras.layers.Conv2D(64, 3, activation="relu"),
    keras.layers.MaxPooling2D(),
    keras.layers.Conv2D(128, 3, activation="relu"),
    keras.layers.GlobalMaxPooling2D(),
    keras.layers.Dense(19, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(cubes(index), epochs=60)
