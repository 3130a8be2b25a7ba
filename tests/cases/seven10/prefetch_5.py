"""CIFAR-like training with JAX; the input is steered by a JSON text."""
import json
import types

import jax
import jax.numpy as jnp
import tensorflow as tf
import tensorflow_datasets as tfds

SETTINGS = """
{
  "dataset": "cifar10",
  "batch": 512,
  "shuffle": 50000,
  "prefetch": 0,
  "epochs": 60
}
"""


def read_settings(text):
    return json.loads(text, object_hook=lambda d: types.SimpleNamespace(**d))


def pad_crop(images, labels):
    images = tf.cast(images, tf.float32) / 255.0
    images = tf.pad(images, [[0, 0], [4, 4], [4, 4], [0, 0]])
    images = tf.image.random_crop(images, [tf.shape(images)[0], 32, 32, 3])
    return images, labels


def load(cfg):
    ds = tfds.load(cfg.dataset, split="train", as_supervised=True)
    ds = ds.cache().shuffle(cfg.shuffle).batch(cfg.batch, drop_remainder=True)
    ds = ds.map(pad_crop, num_parallel_calls=tf.data.AUTOTUNE)
    if cfg.prefetch:
        ds = ds.prefetch(cfg.prefetch)
    return tfds.as_numpy(ds)


def init(key):
    k1, k2 = jax.random.split(key)
    return {"w1": jax.random.normal(k1, (3072, 1024)) * 0.02,
            "w2": jax.random.normal(k2, (1024, 10)) * 0.02}


def loss(params, x, y):
    h = jax.nn.relu(x.reshape((x.shape[0], -1)) @ params["w1"])
    logp = jax.nn.log_softmax(h @ params["w2"])
    return -jnp.mean(jnp.take_along_axis(logp, y[:, None], axis=1))


@jax.jit
def update(params, x, y):
    grads = jax.grad(loss)(params, x, y)
    return jax.tree_util.tree_map(lambda p, g: p - 0.05 * g, params, grads)


if __name__ == "__main__":
    cfg = read_settings(SETTINGS)
    params = init(jax.random.PRNGKey(0))
    batches = load(cfg)
    for epoch in range(cfg.epochs):
        for x, y in batches:
            params = update(params, x, y)
