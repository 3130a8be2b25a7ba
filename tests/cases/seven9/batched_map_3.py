"""Transformer forecaster on traffic sensors (PeMS-BAY windows)."""
import dataclasses
import functools

import numpy as np
import tensorflow as tf


@dataclasses.dataclass
class Args:
    npz: str = '/data/pems/windows_train.npz'
    val_npz: str = '/data/pems/windows_val.npz'
    batch: int = 256
    epochs: int = 100
    d_model: int = 128


class Scaler:
    """Standard scaler, fit once on the training split."""

    def __init__(self, x):
        self.mean = np.float32(x.mean())
        self.std = np.float32(x.std())

    def __call__(self, x, y):
        return (x - self.mean) / self.std, (y - self.mean) / self.std


def map_then_batch(ds, fn, batch_size):
    ds = ds.map(fn, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(batch_size, drop_remainder=True)
    return ds.prefetch(tf.data.AUTOTUNE)


def load(path):
    with np.load(path) as z:
        return z['x'].astype(np.float32), z['y'].astype(np.float32)


def datasets(args):
    x, y = load(args.npz)              # (36k, 12, 325)
    vx, vy = load(args.val_npz)
    scaler = Scaler(x)
    tail = functools.partial(map_then_batch, fn=scaler, batch_size=args.batch)
    train = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(len(x))
    val = tf.data.Dataset.from_tensor_slices((vx, vy))
    return tail(train), tail(val)


class Block(tf.keras.layers.Layer):
    def __init__(self, d):
        super().__init__()
        self.att = tf.keras.layers.MultiHeadAttention(8, d // 8)
        self.n1 = tf.keras.layers.LayerNormalization()
        self.n2 = tf.keras.layers.LayerNormalization()
        self.ff = tf.keras.Sequential([
            tf.keras.layers.Dense(4 * d, activation='relu'),
            tf.keras.layers.Dense(d)])

    def call(self, x):
        x = self.n1(x + self.att(x, x))
        return self.n2(x + self.ff(x))


def forecaster(args, sensors=325, steps=12):
    inp = tf.keras.Input((steps, sensors))
    x = tf.keras.layers.Dense(args.d_model)(inp)
    for _ in range(4):
        x = Block(args.d_model)(x)
    return tf.keras.Model(inp, tf.keras.layers.Dense(sensors)(x))


if __name__ == '__main__':
    args = Args()
    train_ds, val_ds = datasets(args)
    model = forecaster(args)
    model.compile(tf.keras.optimizers.Adam(1e-3), 'mae')
    model.fit(train_ds, validation_data=val_ds, epochs=args.epochs)
