import jax
import jax.numpy as jnp
import numpy as np
import optax
import tensorflow as tf

from collections.abc import Iterator

tf.config.experimental.set_visible_devices([], "GPU")


def scaled(t):
    return {
        **t,
        "obs": tf.cast(t["obs"], tf.float32) * (1 / 255.0),
        "rew": tf.clip_by_value(t["rew"], -1.0, 1.0),
    }


def transitions(path: str, batch: int) -> Iterator[dict[str, np.ndarray]]:
    with np.load(path) as z:
        table = {k: z[k] for k in ("obs", "act", "rew")}
    opts = tf.data.Options()
    opts.threading.private_threadpool_size = 8
    return iter(
        tf.data.Dataset.from_tensor_slices(table)
        .with_options(opts)
        .shuffle(100_000, seed=8)
        .repeat()
        .map(scaled, num_parallel_calls=tf.data.AUTOTUNE)
        .batch(batch, drop_remainder=True)
        .prefetch(tf.data.AUTOTUNE)
        .as_numpy_iterator()
    )


def policy(params, obs):
    h = obs.reshape(obs.shape[0], -1)
    for w, b in params[:-1]:
        h = jax.nn.relu(h @ w + b)
    w, b = params[-1]
    return h @ w + b


def loss(params, batch):
    logp = jax.nn.log_softmax(policy(params, batch["obs"]))
    chosen = jnp.take_along_axis(logp, batch["act"][:, None], axis=1)[:, 0]
    return -jnp.mean(jnp.exp(batch["rew"]) * chosen)


def main(steps=50_000):
    sizes = (84 * 84 * 4, 256, 256, 6)
    keys = jax.random.split(jax.random.PRNGKey(1), len(sizes) - 1)
    params = [(jax.random.normal(k, (i, o)) / i ** 0.5, jnp.zeros(o)) for k, i, o in zip(keys, sizes, sizes[1:])]
    tx = optax.chain(optax.clip_by_global_norm(1.0), optax.adam(2.5e-4))
    state = tx.init(params)

    @jax.jit
    def update(params, state, batch):
        value, grads = jax.value_and_grad(loss)(params, batch)
        upd, state = tx.update(grads, state)
        return optax.apply_updates(params, upd), state, value

    for step, batch in zip(range(steps), transitions("pong_demo.npz", 512)):
        params, state, value = update(params, state, batch)
        if step % 1000 == 0:
            print(step, value)


main()
