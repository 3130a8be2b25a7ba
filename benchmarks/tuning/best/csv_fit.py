"""Rows of CSV, parsed one by one in each epoch of `fit`."""

from __future__ import annotations

import tensorflow as tf
from data import tables

DEFAULTS = [0.0] * 8 + [0]


def parse(line: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    *columns, label = tf.io.decode_csv(line, DEFAULTS)
    return tf.stack(columns, axis=-1), label


dataset = tf.data.TextLineDataset(tables(1, 20_000)).skip(1)
dataset = dataset.batch(64)
dataset = dataset.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
dataset = dataset.cache()
dataset = dataset.prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([tf.keras.layers.Dense(5, activation="softmax")])
model.compile(loss="sparse_categorical_crossentropy")

if __name__ == "__main__":
    model.fit(dataset, epochs=5)
