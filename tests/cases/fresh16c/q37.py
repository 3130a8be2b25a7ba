import functools
import glob
import operator

import jax
import jax.numpy as jnp
import optax
import tensorflow as tf

tf.config.set_visible_devices([], "GPU")

COLUMNS = 9
FILES = sorted(glob.glob("/data/taxi/trips_20*.csv"))


def one_file(path):
    return tf.data.TextLineDataset(path).skip(1)


def chain(parts):
    return functools.reduce(lambda a, b: a.concatenate(b), parts)


def parse(lines):
    cols = tf.io.decode_csv(lines, [[0.0]] * COLUMNS)
    return tf.stack(cols[:-1], axis=-1), cols[-1]


def batches(files, size, seed):
    ds = chain([one_file(f) for f in files])
    ds = ds.shuffle(200_000, seed=seed)
    ds = ds.batch(size, drop_remainder=True)
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE).as_numpy_iterator()


def init(key, sizes=(COLUMNS - 1, 128, 64, 1)):
    keys = jax.random.split(key, len(sizes) - 1)
    return [
        (jax.random.normal(k, (m, n)) / jnp.sqrt(m), jnp.zeros(n))
        for k, m, n in zip(keys, sizes[:-1], sizes[1:])
    ]


def predict(params, x):
    for w, b in params[:-1]:
        x = jax.nn.relu(x @ w + b)
    w, b = params[-1]
    return (x @ w + b)[:, 0]


def loss_fn(params, x, y):
    return jnp.mean((predict(params, x) - y) ** 2)


opt = optax.adam(1e-3)


@jax.jit
def update(params, state, x, y):
    grads = jax.grad(loss_fn)(params, x, y)
    updates, state = opt.update(grads, state)
    return optax.apply_updates(params, updates), state


params = init(jax.random.PRNGKey(0))
state = opt.init(params)
for epoch in range(5):
    for x, y in batches(FILES, 8192, epoch):
        params, state = update(params, state, x, y)
    print("epoch", epoch, "params", functools.reduce(operator.add, (w.size for w, _ in params)))
