import jax
import jax.numpy as jnp
import numpy as np
import optax
import tensorflow as tf

tf.config.set_visible_devices([], "GPU")
PROFILE = dict(logdir="/tmp/ncf/profile", warmup=300, steps=50)


def interactions(path, batch):
    z = np.load(path)
    arrays = (z["user"].astype(np.int32), z["item"].astype(np.int32), z["click"].astype(np.float32))
    ds = tf.data.Dataset.from_tensor_slices(arrays)
    ds = ds.shuffle(1_000_000, seed=2).repeat().batch(batch, drop_remainder=True)
    return ds.prefetch(tf.data.AUTOTUNE), int(arrays[0].max()) + 1, int(arrays[1].max()) + 1


def init(key, n_users, n_items, dim=32):
    a, b = jax.random.split(key)
    return {
        "u": jax.random.normal(a, (n_users, dim)) * 0.05,
        "i": jax.random.normal(b, (n_items, dim)) * 0.05,
    }


def loss_fn(p, u, i, y):
    return optax.sigmoid_binary_cross_entropy(jnp.sum(p["u"][u] * p["i"][i], -1), y).mean()


def run_steps(stream, n, start, state, update):
    params, opt_state = state
    for offset, (u, i, y) in zip(range(n), stream):
        with tf.profiler.experimental.Trace("ncf", step_num=start + offset, _r=1):
            params, opt_state, loss = update(params, opt_state, u, i, y)
            loss.block_until_ready()
    return (params, opt_state), loss


def main():
    ds, n_users, n_items = interactions("/data/mind/clicks.npz", 8192)
    params = init(jax.random.key(0), n_users, n_items)
    tx = optax.adam(1e-3)

    @jax.jit
    def update(params, opt_state, u, i, y):
        loss, grads = jax.value_and_grad(loss_fn)(params, u, i, y)
        upd, opt_state = tx.update(grads, opt_state)
        return optax.apply_updates(params, upd), opt_state, loss

    stream = ds.as_numpy_iterator()
    state = (params, tx.init(params))
    state, _ = run_steps(stream, PROFILE["warmup"], 0, state, update)
    with tf.profiler.experimental.Profile(PROFILE["logdir"]):
        state, loss = run_steps(stream, PROFILE["steps"], PROFILE["warmup"], state, update)
    state, loss = run_steps(stream, 20_000, PROFILE["warmup"] + PROFILE["steps"], state, update)
    print(float(loss))


if __name__ == "__main__":
    main()
