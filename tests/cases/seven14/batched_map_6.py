"""Flax CNN on SVHN; the feeder takes the preprocessing as an argument."""
from typing import Callable, Iterator

import flax.linen as nn
import jax
import jax.numpy as jnp
import optax
import tensorflow as tf
import tensorflow_datasets as tfds


def scaled(example):
    return {"x": tf.cast(example["image"], tf.float32) / 127.5 - 1.0,
            "y": tf.one_hot(example["label"], 10)}


def feeder(name: str, split: str, batch: int, prepare: Callable, train: bool) -> Iterator:
    ds = tfds.load(name, split=split, shuffle_files=train)
    ds = ds.cache()
    if train:
        ds = ds.shuffle(50_000).repeat()
    ds = ds.map(prepare, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(batch, drop_remainder=train)
    return iter(tfds.as_numpy(ds.prefetch(tf.data.AUTOTUNE)))


class Net(nn.Module):
    @nn.compact
    def __call__(self, x):
        for w in (32, 64, 128):
            x = nn.relu(nn.Conv(w, (3, 3), strides=(2, 2))(x))
        return nn.Dense(10)(x.mean((1, 2)))


net = Net()
tx = optax.adam(optax.cosine_decay_schedule(1e-3, 60_000))


def loss_fn(params, b):
    return optax.softmax_cross_entropy(net.apply(params, b["x"]), b["y"]).mean()


@jax.jit
def update(params, opt, b):
    loss, g = jax.value_and_grad(loss_fn)(params, b)
    up, opt = tx.update(g, opt)
    return optax.apply_updates(params, up), opt, loss


@jax.jit
def hits(params, b):
    return (net.apply(params, b["x"]).argmax(-1) == b["y"].argmax(-1)).sum()


def main(steps=60_000, every=2000):
    params = net.init(jax.random.PRNGKey(1), jnp.zeros((1, 32, 32, 3)))
    opt = tx.init(params)
    train = feeder("svhn_cropped", "train+extra", 512, scaled, True)
    for step in range(1, steps + 1):
        params, opt, loss = update(params, opt, next(train))
        if step % every == 0:
            total = sum(int(hits(params, b)) for b in feeder("svhn_cropped", "test", 1000, scaled, False))
            print(step, float(loss), total / 26032)


if __name__ == "__main__":
    main()
