from dataclasses import dataclass

import numpy as np
import tensorflow as tf


@dataclass
class TrainConfig:
    epochs: int = 25
    batch: int = 32
    lr: float = 3e-4


def epochs_of(n):
    def fn(ds):
        return ds.repeat(n)
    return fn


def mixing(size):
    return lambda ds: ds.shuffle(size)


cfg = TrainConfig()
pairs = np.load("pairs.npz")
base = tf.data.Dataset.from_tensor_slices((pairs["a"], pairs["b"]))
train = base.apply(epochs_of(cfg.epochs)).apply(mixing(len(pairs["a"])))
train = train.batch(cfg.batch).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([tf.keras.layers.Dense(64, activation="tanh"), tf.keras.layers.Dense(16)])
model.compile(tf.keras.optimizers.Adam(cfg.lr), "mse")
model.fit(train)
