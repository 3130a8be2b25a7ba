import glob

import keras
import tensorflow as tf

from source import RatingSource

USERS, ITEMS, DIM = 2_000_000, 300_000, 64


def dataset(source):
    ds = tf.data.Dataset.from_generator(
        source.rows,
        output_types=((tf.int64, tf.int64), tf.float32),
        output_shapes=(((), ()), ()),
    )
    return ds.shuffle(100_000).batch(8192).prefetch(tf.data.AUTOTUNE)


def two_tower():
    u = keras.Input((), dtype="int64")
    i = keras.Input((), dtype="int64")
    dot = keras.layers.Dot(1)([keras.layers.Embedding(USERS, DIM)(u), keras.layers.Embedding(ITEMS, DIM)(i)])
    return keras.Model((u, i), dot)


if __name__ == "__main__":
    model = two_tower()
    model.compile("adagrad", "mse")
    model.fit(dataset(RatingSource(glob.glob("/data/ratings/*.csv.gz"))), epochs=3)
