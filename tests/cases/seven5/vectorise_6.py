"""Probe on two million quantized text embeddings, in JAX."""
import functools
import json

import jax
import jax.numpy as jnp
import numpy as np
import optax
import tensorflow as tf

DIM, TOPICS = 384, 112


def dequantize(code, topic, *, scale, zero):
    vector = (tf.cast(code, tf.float32) - zero) * scale
    return tf.math.l2_normalize(vector, axis=-1), tf.cast(topic, tf.int32)


def embeddings(root, batch_size):
    codes = np.load(f"{root}/codes.npy", mmap_mode="r")
    topics = np.load(f"{root}/topics.npy")
    with open(f"{root}/quant.json") as f:
        quant = json.load(f)
    fn = functools.partial(
        dequantize,
        scale=tf.constant(quant["scale"], tf.float32),
        zero=tf.constant(quant["zero"], tf.float32),
    )
    return (
        tf.data.Dataset.from_tensor_slices((codes, topics))
        .shuffle(500_000)
        .repeat()
        .map(fn, num_parallel_calls=tf.data.AUTOTUNE)
        .batch(batch_size, drop_remainder=True)
        .prefetch(tf.data.AUTOTUNE)
    )


def loss_fn(params, x, y):
    h = jax.nn.gelu(x @ params["w1"])
    return optax.softmax_cross_entropy_with_integer_labels(h @ params["w2"], y).mean()


def main():
    k1, k2 = jax.random.split(jax.random.key(42))
    params = {
        "w1": jax.random.normal(k1, (DIM, 1024)) * DIM**-0.5,
        "w2": jax.random.normal(k2, (1024, TOPICS)) * 1024**-0.5,
    }
    tx = optax.adamw(optax.cosine_decay_schedule(1e-3, 100_000))
    state = tx.init(params)

    @jax.jit
    def step(params, state, x, y):
        loss, grads = jax.value_and_grad(loss_fn)(params, x, y)
        updates, state = tx.update(grads, state, params)
        return optax.apply_updates(params, updates), state, loss

    batches = embeddings("/data/news-embeddings", 2048).as_numpy_iterator()
    for i in range(100_000):
        x, y = next(batches)
        params, state, loss = step(params, state, jnp.asarray(x), jnp.asarray(y))
        if i % 2000 == 0:
            print(i, float(loss))


if __name__ == "__main__":
    main()
