from typing import Callable

import jax
import jax.numpy as jnp
import optax
import tensorflow as tf
import tensorflow_datasets as tfds


def normalize(example):
    image = tf.cast(example["image"], tf.float32) / 255.0
    return {"image": tf.reshape(image, [-1]), "label": example["label"]}


def make_dataset(batch_size):
    ds = tfds.load("emnist/balanced", split="train", shuffle_files=True)
    ds = ds.map(normalize, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.cache().shuffle(60_000).repeat()
    return ds.batch(batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def make_sampler(ds) -> Callable[[], dict]:
    iterator = ds.as_numpy_iterator()
    return lambda: next(iterator)


def init_params(key, example):
    width = example["image"].shape[-1]
    return {"w": jax.random.normal(key, (width, 47)) * 0.05, "b": jnp.zeros(47)}


def loss_fn(params, batch):
    logits = batch["image"] @ params["w"] + params["b"]
    return optax.softmax_cross_entropy_with_integer_labels(logits, batch["label"]).mean()


def main(steps=20_000):
    ds = make_dataset(256)
    # One batch gives the width of the input layer.
    params = init_params(jax.random.PRNGKey(0), next(iter(ds.as_numpy_iterator())))
    tx = optax.adam(1e-3)
    state = tx.init(params)

    @jax.jit
    def update(params, state, batch):
        loss, grads = jax.value_and_grad(loss_fn)(params, batch)
        updates, state = tx.update(grads, state)
        return optax.apply_updates(params, updates), state, loss

    sample = make_sampler(ds)
    for _ in range(steps):
        params, state, loss = update(params, state, sample())
    print(loss)


if __name__ == "__main__":
    main()
