"""Credit-default model on 30M rows of tabular data held in memory."""
import argparse

import numpy as np
import pandas as pd
import tensorflow as tf


class Standardizer:
    def __init__(self, values):
        self.mean = tf.constant(values.mean(0), tf.float32)
        self.inv_std = tf.constant(1.0 / (values.std(0) + 1e-6), tf.float32)

    def __call__(self, row, target):
        return tf.clip_by_value((row - self.mean) * self.inv_std, -5.0, 5.0), target


def get_train_val(path, batch_size, holdout=0.05):
    frame = pd.read_parquet(path)
    y = frame.pop("defaulted").to_numpy(np.float32)
    x = frame.to_numpy(np.float32)
    cut = int(len(x) * (1 - holdout))
    scale = Standardizer(x[:cut])

    train = tf.data.Dataset.from_tensor_slices((x[:cut], y[:cut])).shuffle(500_000)
    train = train.map(scale, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
    train = train.batch(batch_size, drop_remainder=True)
    train = train.prefetch(tf.data.AUTOTUNE)

    val = (tf.data.Dataset.from_tensor_slices((x[cut:], y[cut:]))
           .batch(batch_size)
           .map(scale, num_parallel_calls=tf.data.AUTOTUNE)
           .prefetch(tf.data.AUTOTUNE))
    return train, val, x.shape[1]


def mlp(width):
    inp = tf.keras.Input([width])
    x = inp
    for units in (512, 512, 256):
        x = tf.keras.layers.Dense(units, activation="swish")(x)
        x = tf.keras.layers.Dropout(0.1)(x)
    return tf.keras.Model(inp, tf.keras.layers.Dense(1, activation="sigmoid")(x))


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--table", default="/warehouse/loans.parquet")
    ap.add_argument("--batch", type=int, default=8192)
    args = ap.parse_args()
    train, val, width = get_train_val(args.table, args.batch)
    model = mlp(width)
    model.compile("adam", "binary_crossentropy", metrics=["AUC"])
    model.fit(train, validation_data=val, epochs=10)
