"""Vibration signals of bearings, consumed by JAX."""
import enum

import jax
import jax.numpy as jnp
import numpy as np
import tensorflow as tf


class Features(enum.Enum):
    RAW = "raw"
    CEPSTRUM = "cepstrum"


class Bearings:
    def __init__(self, path, features, batch_size=256):
        self.path, self.features, self.batch_size = path, features, batch_size

    @property
    def signals(self):
        store = np.load(self.path)  # 24 000 windows of 16 384 samples
        return tf.data.Dataset.from_tensor_slices((store["x"], store["y"]))

    @property
    def stage(self):
        match self.features:
            case Features.RAW:
                return lambda ds: ds
            case Features.CEPSTRUM:
                return self.featurize

    @staticmethod
    def featurize(ds):
        def cepstrum(x, y):
            frames = tf.signal.frame(x, 1024, 256) * tf.signal.hann_window(1024)
            power = tf.square(tf.abs(tf.signal.rfft(frames)))
            return tf.signal.dct(tf.math.log(power[:, :512] + 1e-9))[:, :32], y
        return ds.map(cepstrum, num_parallel_calls=tf.data.AUTOTUNE)

    @property
    def train(self):
        ds = self.signals.cache().apply(self.stage)
        ds = ds.shuffle(24_000).batch(self.batch_size, drop_remainder=True)
        return ds.prefetch(tf.data.AUTOTUNE)


@jax.jit
def update(w, x, y):
    def loss(w):
        logits = jnp.mean(x, axis=1) @ w
        return -jnp.mean(jax.nn.log_softmax(logits)[jnp.arange(y.shape[0]), y])
    return w - 0.1 * jax.grad(loss)(w)


def main():
    ds = Bearings("/data/bearings.npz", Features.CEPSTRUM).train
    w = jnp.zeros((32, 10))
    for _ in range(100):
        for x, y in ds.as_numpy_iterator():
            w = update(w, x, y)


if __name__ == "__main__":
    main()
