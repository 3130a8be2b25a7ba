from dataclasses import dataclass

import numpy as np
import tensorflow as tf


@dataclass
class TrainConfig:
    epochs: int = 25
    batch: int = 32
    lr: float = 3e-4


def epochs_of(n):
    return lambda ds: ds.repeat(n)


def mixing(size):
    return lambda ds: ds.shuffle(size)


cfg = TrainConfig()
pairs = np.load("pairs.npz")
train = tf.data.Dataset.from_tensor_slices((pairs["a"], pairs["b"]))
for fn in (mixing(len(pairs["a"])), epochs_of(cfg.epochs)):
    train = train.apply(fn)
train = train.batch(cfg.batch).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([tf.keras.layers.Dense(64, activation="tanh"), tf.keras.layers.Dense(16)])
model.compile(tf.keras.optimizers.Adam(cfg.lr), "mse")
model.fit(train)
