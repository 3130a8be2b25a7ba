"""JAX ranking loop; one annotated call does fetch and update."""
import functools

import jax
import jax.numpy as jnp
import optax
import tensorflow as tf
import tensorflow_datasets as tfds


def click_batches(pattern, size):
    spec = {"ids": tf.io.FixedLenFeature([24], tf.int64), "click": tf.io.FixedLenFeature([], tf.float32)}
    ds = tf.data.TFRecordDataset(tf.io.gfile.glob(pattern), num_parallel_reads=tf.data.AUTOTUNE)
    ds = ds.shuffle(100_000).repeat().batch(size, drop_remainder=True)
    ds = ds.map(lambda r: tf.io.parse_example(r, spec), num_parallel_calls=tf.data.AUTOTUNE)
    return tfds.as_numpy(ds.prefetch(tf.data.AUTOTUNE))


def init(key, vocab=1_000_000, dim=16):
    a, b = jax.random.split(key)
    return {"emb": 0.01 * jax.random.normal(a, (vocab, dim)),
            "w": 0.05 * jax.random.normal(b, (24 * dim, 1))}


def loss_fn(p, batch):
    e = p["emb"][batch["ids"] % p["emb"].shape[0]].reshape(batch["ids"].shape[0], -1)
    return optax.sigmoid_binary_cross_entropy((e @ p["w"])[:, 0], batch["click"]).mean()


class Loop:
    def __init__(self, feed, tx):
        self.feed, self.tx = iter(feed), tx
        self.params = init(jax.random.PRNGKey(3))
        self.opt = tx.init(self.params)

    @functools.partial(jax.jit, static_argnums=0)
    def _update(self, params, opt, batch):
        loss, g = jax.value_and_grad(loss_fn)(params, batch)
        up, opt = self.tx.update(g, opt)
        return optax.apply_updates(params, up), opt, loss

    def advance(self):
        batch = next(self.feed)
        self.params, self.opt, loss = self._update(self.params, self.opt, batch)
        return loss

    def run(self, steps):
        for step in range(steps):
            if step == 300:
                jax.profiler.start_trace("/logs/clicks")
            with jax.profiler.StepTraceAnnotation("train", step_num=step):
                loss = self.advance()
            if step == 340:
                jax.profiler.stop_trace()
            if step % 5000 == 0:
                print(step, jnp.asarray(loss))


Loop(click_batches("/logs/clicks/train-*", 16_384), optax.adagrad(0.05)).run(150_000)
