import functools

import jax
import jax.numpy as jnp
import optax
import tensorflow as tf
import tensorflow_datasets as tfds


def standard_view(example, size):
    img = tf.image.resize(example["image"], (size, size), method="lanczos5", antialias=True)
    edges = tf.image.sobel_edges(img[tf.newaxis] / 255.0)[0]
    img = tf.concat([img / 255.0, edges[..., 0], edges[..., 1]], axis=-1)
    return img, example["label"]


def batches(split, size=96, batch=128, seed=0):
    raw = tfds.load("food101", split=split, shuffle_files=True)
    cached = raw.cache()
    prepared = cached.shuffle(4096, seed=seed).map(
        functools.partial(standard_view, size=size), num_parallel_calls=tf.data.AUTOTUNE)
    return prepared.batch(batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def init(rng, size, classes=101):
    k1, k2 = jax.random.split(rng)
    return {
        "conv": jax.random.normal(k1, (5, 5, 9, 64)) * 0.05,
        "head": jax.random.normal(k2, (64, classes)) * 0.1,
    }


def apply(p, x):
    h = jax.lax.conv_general_dilated(x, p["conv"], (4, 4), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
    return jnp.mean(jax.nn.relu(h), axis=(1, 2)) @ p["head"]


def loss_fn(p, x, y):
    return optax.softmax_cross_entropy_with_integer_labels(apply(p, x), y).mean()


def train(epochs=20):
    tx = optax.adam(1e-3)
    params = init(jax.random.PRNGKey(0), 96)
    state = tx.init(params)

    @jax.jit
    def update(params, state, x, y):
        loss, grads = jax.value_and_grad(loss_fn)(params, x, y)
        upd, state = tx.update(grads, state)
        return optax.apply_updates(params, upd), state, loss

    ds = batches("train")
    for epoch in range(epochs):
        for x, y in tfds.as_numpy(ds):
            params, state, loss = update(params, state, x, y)
        print(epoch, float(loss))


train()
