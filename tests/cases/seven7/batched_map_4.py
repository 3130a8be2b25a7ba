"""Offline Rainbow/IQL on D4RL-Atari arrays (1M transitions), Flax learner."""
import gin
import jax
import jax.numpy as jnp
import numpy as np
import optax
import tensorflow as tf
from flax import linen as nn
from flax.training.train_state import TrainState


def clip_reward(t):
    return {**t, "reward": tf.sign(t["reward"])}


def to_float(t):
    scale = 1.0 / 255.0
    return {**t,
            "obs": tf.cast(t["obs"], tf.float32) * scale,
            "next_obs": tf.cast(t["next_obs"], tf.float32) * scale,
            "done": tf.cast(t["done"], tf.float32)}


def chain(*fns):
    def run(t):
        for f in fns:
            t = f(t)
        return t
    return run


@gin.configurable
class OfflineBuffer:
    def __init__(self, path="/data/d4rl/pong-expert.npz", batch=512, shuffle=100_000):
        raw = np.load(path)
        self.arrays = {k: raw[k] for k in ("obs", "next_obs", "action", "reward", "done")}
        self.batch, self.shuffle = batch, shuffle

    def __iter__(self):
        ds = (
            tf.data.Dataset.from_tensor_slices(self.arrays)
            .shuffle(self.shuffle)
            .repeat()
            .map(chain(clip_reward, to_float), num_parallel_calls=tf.data.AUTOTUNE)
            .batch(self.batch, drop_remainder=True)
            .prefetch(8)
        )
        return ds.as_numpy_iterator()


class Q(nn.Module):
    actions: int

    @nn.compact
    def __call__(self, x):
        for f, k, s in ((32, 8, 4), (64, 4, 2), (64, 3, 1)):
            x = nn.relu(nn.Conv(f, (k, k), (s, s))(x))
        x = nn.relu(nn.Dense(512)(x.reshape(x.shape[0], -1)))
        return nn.Dense(self.actions)(x), nn.Dense(1)(x)[:, 0]


def expectile(diff, tau=0.7):
    return jnp.where(diff > 0, tau, 1 - tau) * diff ** 2


@jax.jit
def update(state, target, b):
    def loss_fn(p):
        q, v = state.apply_fn(p, b["obs"])
        _, v2 = state.apply_fn(target, b["next_obs"])
        q_t, _ = state.apply_fn(target, b["obs"])
        idx = jnp.arange(q.shape[0])
        y = b["reward"] + 0.99 * (1 - b["done"]) * v2
        return jnp.mean((q[idx, b["action"]] - y) ** 2) + jnp.mean(expectile(q_t[idx, b["action"]] - v))
    loss, g = jax.value_and_grad(loss_fn)(state.params)
    return state.apply_gradients(grads=g), loss


@gin.configurable
def train(steps=1_000_000, actions=6, sync=2000):
    net = Q(actions)
    params = net.init(jax.random.PRNGKey(1), jnp.zeros((1, 84, 84, 4)))
    state, target = TrainState.create(apply_fn=net.apply, params=params, tx=optax.adam(6.25e-5)), params
    for i, batch in zip(range(steps), OfflineBuffer()):
        state, loss = update(state, target, batch)
        if i % sync == 0:
            target = state.params
            print(i, float(loss))


if __name__ == "__main__":
    gin.parse_config_file("iql.gin")
    train()
