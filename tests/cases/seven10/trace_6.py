"""JAX training that records its steps with TensorFlow's profiler."""
import dataclasses
import typing

import jax
import jax.numpy as jnp
import tensorflow as tf
import tensorflow_datasets as tfds


@dataclasses.dataclass
class ProfileWindow:
    logdir: str
    first: int
    last: int

    def phase(self, step: int) -> str:
        match step:
            case n if n == self.first:
                return "open"
            case n if n == self.last:
                return "close"
            case n if self.first < n < self.last:
                return "inside"
            case _:
                return "outside"


def scale(images, labels):
    return tf.cast(images, tf.float32) / 255.0, labels


def batches(name: str, size: int) -> typing.Iterator:
    ds = tfds.load(name, split="train", as_supervised=True, shuffle_files=True)
    ds = ds.shuffle(50_000).repeat().batch(size, drop_remainder=True)
    ds = ds.map(scale, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)
    yield from ds.as_numpy_iterator()


@jax.jit
def update(w, x, y):
    def loss(w):
        logp = jax.nn.log_softmax(x.reshape((x.shape[0], -1)) @ w)
        return -jnp.mean(jnp.take_along_axis(logp, y[:, None], 1))
    return w - 0.01 * jax.grad(loss)(w)


def run_step(step, w, x, y):
    with tf.profiler.experimental.Trace("update", step_num=step, _r=1):
        return update(w, x, y).block_until_ready()


def train(window: ProfileWindow, steps: int = 20_000):
    w = jnp.zeros((32 * 32 * 3, 10))
    stream = batches("cifar10", 1024)
    for step, (x, y) in enumerate(stream):
        phase = window.phase(step)
        if phase == "open":
            tf.profiler.experimental.start(window.logdir)
        w = run_step(step, w, x, y)
        if phase == "close":
            tf.profiler.experimental.stop()
        if step >= steps:
            return w


if __name__ == "__main__":
    train(ProfileWindow("/logs/jax-cifar", 300, 330))
