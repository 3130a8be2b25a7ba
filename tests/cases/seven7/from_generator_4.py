"""Soft actor-critic with a numpy replay buffer feeding tf.data (JAX learner)."""
import dataclasses

import gymnasium as gym
import jax
import jax.numpy as jnp
import numpy as np
import optax
import tensorflow as tf

Dataset = tf.data.Dataset
stream_of = Dataset.from_generator


@dataclasses.dataclass
class Args:
    env: str = "Humanoid-v4"
    capacity: int = 1_000_000
    batch: int = 256
    total_steps: int = 3_000_000
    warmup: int = 10_000
    lr: float = 3e-4


class Replay:
    def __init__(self, capacity, obs_dim, act_dim):
        self.o = np.zeros((capacity, obs_dim), np.float32)
        self.a = np.zeros((capacity, act_dim), np.float32)
        self.r = np.zeros((capacity,), np.float32)
        self.o2 = np.zeros((capacity, obs_dim), np.float32)
        self.n, self.cap = 0, capacity

    def add(self, o, a, r, o2):
        i = self.n % self.cap
        self.o[i], self.a[i], self.r[i], self.o2[i] = o, a, r, o2
        self.n += 1

    def transitions(self):
        while True:
            i = np.random.randint(min(self.n, self.cap))
            yield self.o[i], self.a[i], self.r[i], self.o2[i]

    def batches(self, size):
        sig = tuple(tf.TensorSpec(b.shape[1:], tf.float32) for b in (self.o, self.a, self.r, self.o2))
        ds = stream_of(self.transitions, output_signature=sig)
        return ds.batch(size, drop_remainder=True).prefetch(4).as_numpy_iterator()


def init(key, sizes):
    keys = jax.random.split(key, len(sizes))
    return [(jax.random.normal(k, (m, n)) / np.sqrt(m), jnp.zeros(n))
            for k, m, n in zip(keys, sizes[:-1], sizes[1:])]


def mlp(params, x):
    for w, b in params[:-1]:
        x = jax.nn.relu(x @ w + b)
    w, b = params[-1]
    return x @ w + b


def main(args=Args()):
    env = gym.make(args.env)
    od, ad = env.observation_space.shape[0], env.action_space.shape[0]
    replay = Replay(args.capacity, od, ad)
    key = jax.random.PRNGKey(0)
    params = {"q": init(key, [od + ad, 256, 256, 1]), "pi": init(key, [od, 256, 256, ad])}
    tx = optax.adam(args.lr)
    opt_state = tx.init(params)

    def loss_fn(p, o, a, r, o2):
        a2 = jnp.tanh(mlp(p["pi"], o2))
        y = r + 0.99 * mlp(p["q"], jnp.concatenate([o2, a2], -1))[:, 0]
        q = mlp(p["q"], jnp.concatenate([o, a], -1))[:, 0]
        q_pi = mlp(jax.lax.stop_gradient(p["q"]), jnp.concatenate([o, jnp.tanh(mlp(p["pi"], o))], -1))
        return jnp.mean((q - jax.lax.stop_gradient(y)) ** 2) - jnp.mean(q_pi)

    @jax.jit
    def update(p, s, batch):
        g = jax.grad(loss_fn)(p, *batch)
        u, s = tx.update(g, s)
        return optax.apply_updates(p, u), s

    obs, _ = env.reset(seed=0)
    feed = None
    for t in range(args.total_steps):
        act = np.asarray(jnp.tanh(mlp(params["pi"], obs)) + 0.1 * np.random.randn(ad), np.float32)
        nxt, rew, term, trunc, _ = env.step(act)
        replay.add(obs, act, rew, nxt)
        obs = env.reset()[0] if term or trunc else nxt
        if t >= args.warmup:
            feed = feed or replay.batches(args.batch)
            params, opt_state = update(params, opt_state, next(feed))


if __name__ == "__main__":
    main()
