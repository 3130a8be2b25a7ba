"""TD3+BC on a large offline dataset (D4RL-like HDF5, 20M transitions)."""
import argparse

import h5py
import numpy as np
import tensorflow as tf


class OfflineData:
    KEYS = ("observations", "actions", "rewards", "next_observations", "terminals")

    def __init__(self, path):
        with h5py.File(path, "r") as f:
            self.arrays = {k: np.asarray(f[k]) for k in self.KEYS}
        self.mean = self.arrays["observations"].mean(0, dtype=np.float64).astype(np.float32)
        self.std = self.arrays["observations"].std(0, dtype=np.float64).astype(np.float32) + 1e-3

    def _prepare(self, t):
        return {
            "obs": (tf.cast(t["observations"], tf.float32) - self.mean) / self.std,
            "next_obs": (tf.cast(t["next_observations"], tf.float32) - self.mean) / self.std,
            "act": tf.clip_by_value(tf.cast(t["actions"], tf.float32), -1.0, 1.0),
            "rew": tf.cast(t["rewards"], tf.float32),
            "mask": 1.0 - tf.cast(t["terminals"], tf.float32),
        }

    def batches(self, batch_size):
        n = len(self.arrays["rewards"])
        ds = tf.data.Dataset.from_tensor_slices(self.arrays)
        ds = ds.shuffle(min(n, 2_000_000), reshuffle_each_iteration=True).repeat()
        return ds.map(self._prepare, num_parallel_calls=8).batch(batch_size).prefetch(4)


def mlp(inputs, out, activation=None):
    return tf.keras.Sequential([
        tf.keras.layers.InputLayer((inputs,)),
        tf.keras.layers.Dense(256, activation="relu"),
        tf.keras.layers.Dense(256, activation="relu"),
        tf.keras.layers.Dense(out, activation=activation)])


class TD3BC:
    def __init__(self, obs, act, alpha=2.5):
        self.actor, self.actor_t = mlp(obs, act, "tanh"), mlp(obs, act, "tanh")
        self.q = [mlp(obs + act, 1) for _ in range(2)]
        self.q_t = [mlp(obs + act, 1) for _ in range(2)]
        self.a_opt, self.q_opt = tf.keras.optimizers.Adam(3e-4), tf.keras.optimizers.Adam(3e-4)
        self.alpha = alpha

    @tf.function
    def update(self, b):
        noise = tf.clip_by_value(tf.random.normal(tf.shape(b["act"]), stddev=0.2), -0.5, 0.5)
        na = tf.clip_by_value(self.actor_t(b["next_obs"]) + noise, -1.0, 1.0)
        nxt = tf.concat([b["next_obs"], na], -1)
        target = b["rew"] + 0.99 * b["mask"] * tf.minimum(*[q(nxt)[:, 0] for q in self.q_t])
        variables = sum((q.trainable_variables for q in self.q), [])
        with tf.GradientTape() as tape:
            sa = tf.concat([b["obs"], b["act"]], -1)
            loss = sum(tf.reduce_mean(tf.square(q(sa)[:, 0] - target)) for q in self.q)
        self.q_opt.apply_gradients(zip(tape.gradient(loss, variables), variables))
        with tf.GradientTape() as tape:
            pi = self.actor(b["obs"])
            q = self.q[0](tf.concat([b["obs"], pi], -1))
            lam = self.alpha / tf.stop_gradient(tf.reduce_mean(tf.abs(q)))
            a_loss = -lam * tf.reduce_mean(q) + tf.reduce_mean(tf.square(pi - b["act"]))
        v = self.actor.trainable_variables
        self.a_opt.apply_gradients(zip(tape.gradient(a_loss, v), v))
        for s, t in zip([self.actor, *self.q], [self.actor_t, *self.q_t]):
            for x, y in zip(s.variables, t.variables):
                y.assign(0.995 * y + 0.005 * x)
        return loss


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--path", default="/data/d4rl/ant_mixed_20m.hdf5")
    p.add_argument("--steps", type=int, default=1_000_000)
    a = p.parse_args()
    data = OfflineData(a.path)
    agent = TD3BC(data.mean.shape[0], data.arrays["actions"].shape[1])
    for i, batch in enumerate(data.batches(1024).take(a.steps)):
        loss = agent.update(batch)
        if i % 5000 == 0:
            print(i, float(loss))
