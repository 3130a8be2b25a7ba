"""Limit-order-book windows to a JAX model."""
import itertools

import jax
import jax.numpy as jnp
import numpy as np
import tensorflow as tf

WINDOW, FIELDS = 101, 8


class WindowFeed:
    """Iterable of NumPy batches, endless over shuffled windows."""

    def __init__(self, path, batch_size=1024):
        ticks = np.load(path, mmap_mode="r")
        windows = np.lib.stride_tricks.sliding_window_view(ticks, WINDOW, axis=0)[::20]
        self.windows = np.ascontiguousarray(windows.swapaxes(1, 2), np.float32)
        self.batch_size = batch_size

    def _dataset(self):
        split = lambda w: (tf.math.log(w[..., :-1, :] + 1.0), w[..., -1, 0])
        ds = tf.data.Dataset.from_tensor_slices(self.windows)
        ds = ds.shuffle(len(self.windows), reshuffle_each_iteration=True).repeat()
        ds = ds.map(split, tf.data.AUTOTUNE)
        ds = ds.batch(self.batch_size, drop_remainder=True)
        return ds.prefetch(tf.data.AUTOTUNE)

    def __iter__(self):
        return self._dataset().as_numpy_iterator()


def predict(params, x):
    h = jnp.tanh(x.reshape((x.shape[0], -1)) @ params["w"] + params["b"])
    return h @ params["v"]


@jax.jit
def update(params, x, y):
    grads = jax.grad(lambda p: jnp.mean((predict(p, x) - y) ** 2))(params)
    return jax.tree.map(lambda p, g: p - 1e-3 * g, params, grads)


if __name__ == "__main__":
    key = jax.random.key(7)
    params = {"w": jax.random.normal(key, ((WINDOW - 1) * FIELDS, 256)) * 0.01,
              "b": jnp.zeros(256), "v": jnp.zeros(256)}
    feed = WindowFeed("/data/lob/2023.npy")  # about 400 000 windows
    for x, y in itertools.islice(feed, 100_000):
        params = update(params, x, y)
