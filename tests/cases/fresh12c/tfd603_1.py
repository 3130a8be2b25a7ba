"""Tabular MLP in JAX/optax fed by tf.data, with a loss log."""
import csv

import jax
import jax.numpy as jnp
import optax
import tensorflow as tf

SIZES = (40, 512, 512, 1)


def batches(pattern, batch):
    ds = tf.data.Dataset.list_files(pattern)
    ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
    ds = ds.shuffle(100_000).repeat().batch(batch, drop_remainder=True)

    def parse(rows):
        ex = tf.io.parse_example(rows, {"x": tf.io.FixedLenFeature([40], tf.float32),
                                        "y": tf.io.FixedLenFeature([1], tf.float32)})
        return ex["x"], ex["y"]

    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)
    return ds.as_numpy_iterator()


def init(key):
    keys = jax.random.split(key, len(SIZES) - 1)
    return [{"w": jax.random.normal(k, (i, o)) * (2.0 / i) ** 0.5, "b": jnp.zeros(o)}
            for k, i, o in zip(keys, SIZES[:-1], SIZES[1:])]


def forward(params, x):
    for layer in params[:-1]:
        x = jax.nn.relu(x @ layer["w"] + layer["b"])
    return x @ params[-1]["w"] + params[-1]["b"]


tx = optax.adam(1e-3)


@jax.jit
def update(params, state, x, y):
    loss, grads = jax.value_and_grad(lambda p: jnp.mean((forward(p, x) - y) ** 2))(params)
    delta, state = tx.update(grads, state)
    return optax.apply_updates(params, delta), state, loss


def train(pattern, steps, log_path):
    params = init(jax.random.key(0))
    state = tx.init(params)
    stream = batches(pattern, 2048)
    with open(log_path, "w", newline="") as f:
        log = csv.writer(f)
        log.writerow(["step", "loss"])
        for step in range(steps):
            x, y = next(stream)
            params, state, loss = update(params, state, x, y)
            log.writerow([step, float(loss)])
    return params


if __name__ == "__main__":
    train("/data/energy/train-*.tfrecord", 200_000, "/logs/energy.csv")
