from typing import Callable

import jax
import jax.numpy as jnp
import optax
import tensorflow as tf
import tensorflow_datasets as tfds


def normalize(example):
    image = tf.cast(example["image"], tf.float32) / 255.0
    return {"image": tf.reshape(image, [-1]), "label": example["label"]}


def make_sampler(batch_size: int) -> Callable[[], dict]:
    ds = tfds.load("emnist/balanced", split="train", shuffle_files=True)
    ds = ds.map(normalize, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.cache().shuffle(60_000).repeat()
    ds = ds.batch(batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)
    return lambda: next(ds.as_numpy_iterator())


def init_params(key):
    k1, k2 = jax.random.split(key)
    return {
        "w1": jax.random.normal(k1, (784, 256)) * 0.05,
        "b1": jnp.zeros(256),
        "w2": jax.random.normal(k2, (256, 47)) * 0.05,
        "b2": jnp.zeros(47),
    }


def loss_fn(params, batch):
    h = jax.nn.relu(batch["image"] @ params["w1"] + params["b1"])
    logits = h @ params["w2"] + params["b2"]
    return optax.softmax_cross_entropy_with_integer_labels(logits, batch["label"]).mean()


def train(sample: Callable[[], dict], steps: int):
    tx = optax.adam(1e-3)
    params = init_params(jax.random.PRNGKey(0))
    state = tx.init(params)

    @jax.jit
    def update(params, state, batch):
        loss, grads = jax.value_and_grad(loss_fn)(params, batch)
        updates, state = tx.update(grads, state)
        return optax.apply_updates(params, updates), state, loss

    for _ in range(steps):
        params, state, loss = update(params, state, sample())
    return params


if __name__ == "__main__":
    train(make_sampler(256), steps=20_000)
