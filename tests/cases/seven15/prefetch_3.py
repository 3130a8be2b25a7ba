import argparse

import jax
import jax.numpy as jnp
import numpy as np
import optax
import tensorflow as tf

tf.config.set_visible_devices([], "GPU")


def read_windows(path):
    z = np.load(path)
    return z["history"].astype(np.float32), z["target"].astype(np.float32)


def host_batches(path, batch_size, seed):
    hist, target = read_windows(path)
    ds = tf.data.Dataset.from_tensor_slices((hist, target))
    ds = ds.shuffle(len(hist), seed=seed)
    ds = ds.repeat()
    ds = ds.batch(batch_size, drop_remainder=True)
    return ds.as_numpy_iterator()


def init(key, width, horizon, hidden=128):
    k1, k2 = jax.random.split(key)
    return {
        "w1": jax.random.normal(k1, (width, hidden)) * width ** -0.5,
        "b1": jnp.zeros(hidden),
        "w2": jax.random.normal(k2, (hidden, horizon)) * hidden ** -0.5,
        "b2": jnp.zeros(horizon),
    }


def loss_fn(p, x, y):
    h = jax.nn.gelu(x @ p["w1"] + p["b1"])
    return jnp.mean((h @ p["w2"] + p["b2"] - y) ** 2)


def main(args):
    opt = optax.adamw(args.lr)
    params = init(jax.random.PRNGKey(args.seed), args.width, args.horizon)
    state = opt.init(params)

    @jax.jit
    def update(params, state, x, y):
        loss, g = jax.value_and_grad(loss_fn)(params, x, y)
        upd, state = opt.update(g, state, params)
        return optax.apply_updates(params, upd), state, loss

    stream = host_batches(args.data, args.batch, args.seed)
    for step in range(args.steps):
        x, y = next(stream)
        params, state, loss = update(params, state, x, y)
        if step % 500 == 0:
            print(step, float(loss))


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--data", default="load_forecast.npz")
    p.add_argument("--batch", type=int, default=256)
    p.add_argument("--steps", type=int, default=20000)
    p.add_argument("--width", type=int, default=168)
    p.add_argument("--horizon", type=int, default=24)
    p.add_argument("--lr", type=float, default=1e-3)
    p.add_argument("--seed", type=int, default=0)
    main(p.parse_args())
