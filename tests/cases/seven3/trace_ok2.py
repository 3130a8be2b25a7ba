import contextlib

import jax
import jax.numpy as jnp
import tensorflow as tf


def batches(pattern, size):
    spec = {"x": tf.io.FixedLenFeature([128], tf.float32), "y": tf.io.FixedLenFeature([], tf.float32)}
    ds = tf.data.TFRecordDataset(tf.io.gfile.glob(pattern), num_parallel_reads=tf.data.AUTOTUNE)
    ds = ds.repeat().shuffle(50_000).batch(size, drop_remainder=True)
    ds = ds.map(lambda r: tf.io.parse_example(r, spec), num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


class Runner:
    def __init__(self, pattern):
        self.it = batches(pattern, 2048).as_numpy_iterator()
        self.w = jnp.zeros((128,))
        self.grad = jax.jit(jax.value_and_grad(self.loss))

    @staticmethod
    def loss(w, x, y):
        return jnp.mean((x @ w - y) ** 2)

    def fetch(self):
        batch = next(self.it)
        return batch["x"], batch["y"]

    def one_step(self):
        x, y = self.fetch()
        value, g = self.grad(self.w, x, y)
        self.w = self.w - 0.05 * g
        return value

    def run(self, steps):
        with contextlib.ExitStack() as stack:
            stack.enter_context(jax.profiler.trace("/tmp/jax-trace"))
            for step in range(steps):
                with jax.profiler.StepTraceAnnotation("train", step_num=step):
                    value = self.one_step()
                if step % 100 == 0:
                    print(step, value)


Runner("/data/regression/*.tfrecord").run(1000)
