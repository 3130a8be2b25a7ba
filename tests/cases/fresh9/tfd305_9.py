"""MLP in JAX; preprocessing looked up by name in a registry."""
import functools

import jax
import jax.numpy as jnp
import tensorflow as tf
import tensorflow_datasets as tfds

PREPROCESS = {}


def register(name, **kwargs):
    def wrap(fn):
        PREPROCESS[name] = functools.partial(fn, **kwargs)
        return fn
    return wrap


@register("minus_one_to_one", offset=127.5, scale=127.5)
def rescale(sample, offset, scale):
    image = (tf.cast(sample["image"], tf.float32) - offset) / scale
    return {"image": image, "label": tf.one_hot(sample["label"], 10)}


def batches(split, name, batch_size):
    ds = tfds.load("mnist", split=split, shuffle_files=True)
    ds = ds.repeat().shuffle(10_000)
    ds = ds.map(PREPROCESS[name], num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(batch_size, drop_remainder=True)
    return ds.prefetch(tf.data.AUTOTUNE).as_numpy_iterator()


def init(key, sizes=(784, 512, 10)):
    keys = jax.random.split(key, len(sizes))
    return [(jax.random.normal(k, (m, n)) * m ** -0.5, jnp.zeros(n))
            for k, m, n in zip(keys, sizes, sizes[1:])]


def loss(params, batch):
    x = batch["image"].reshape(len(batch["image"]), -1)
    for w, b in params[:-1]:
        x = jax.nn.relu(x @ w + b)
    w, b = params[-1]
    return -jnp.mean(jnp.sum(jax.nn.log_softmax(x @ w + b) * batch["label"], -1))


@jax.jit
def update(params, batch, lr=0.1):
    grads = jax.grad(loss)(params, batch)
    return jax.tree_util.tree_map(lambda p, g: p - lr * g, params, grads)


if __name__ == "__main__":
    params = init(jax.random.PRNGKey(0))
    data = batches("train", "minus_one_to_one", 256)
    for step in range(20_000):
        params = update(params, next(data))
