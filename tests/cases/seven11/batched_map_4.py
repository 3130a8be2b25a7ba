import gin
import numpy as np
import tensorflow as tf


@gin.configurable
class OfflineBuffer:
    """Transitions of a D4RL-like .npz file as a tf.data source."""

    def __init__(self, path, reward_scale=0.1, clip=5.0):
        raw = np.load(path)
        self.obs_mean = raw["obs"].mean(0)
        self.obs_std = raw["obs"].std(0) + 1e-6
        self.arrays = {k: raw[k].astype(np.float32) for k in ("obs", "act", "rew", "next_obs", "done")}
        self.reward_scale = reward_scale
        self.clip = clip

    def __len__(self):
        return len(self.arrays["rew"])

    def _norm(self, obs):
        return tf.clip_by_value((obs - self.obs_mean) / self.obs_std, -self.clip, self.clip)

    def transitions(self):
        ds = tf.data.Dataset.from_tensor_slices(self.arrays)
        ds = ds.shuffle(len(self)).repeat()
        return ds.map(
            lambda t: {
                **t,
                "obs": self._norm(t["obs"]),
                "next_obs": self._norm(t["next_obs"]),
                "rew": t["rew"] * self.reward_scale,
            },
            num_parallel_calls=tf.data.AUTOTUNE,
        )


def mlp(n_in, n_out):
    return tf.keras.Sequential([
        tf.keras.Input((n_in,)),
        tf.keras.layers.Dense(256, activation="relu"),
        tf.keras.layers.Dense(256, activation="relu"),
        tf.keras.layers.Dense(n_out),
    ])


class TD3BC:
    def __init__(self, n_obs, n_act):
        self.actor, self.critic = mlp(n_obs, n_act), mlp(n_obs + n_act, 1)
        self.a_opt, self.c_opt = tf.keras.optimizers.Adam(3e-4), tf.keras.optimizers.Adam(3e-4)

    @tf.function
    def update(self, b):
        next_q = self.critic(tf.concat([b["next_obs"], tf.tanh(self.actor(b["next_obs"]))], -1))[:, 0]
        target = tf.stop_gradient(b["rew"] + 0.99 * (1.0 - b["done"]) * next_q)
        with tf.GradientTape(persistent=True) as tape:
            q = self.critic(tf.concat([b["obs"], b["act"]], -1))[:, 0]
            critic_loss = tf.reduce_mean((q - target) ** 2)
            act = tf.tanh(self.actor(b["obs"]))
            q_pi = self.critic(tf.concat([b["obs"], act], -1))
            actor_loss = -tf.reduce_mean(q_pi) + 2.5 * tf.reduce_mean((act - b["act"]) ** 2)
        self.c_opt.apply_gradients(
            zip(tape.gradient(critic_loss, self.critic.trainable_variables), self.critic.trainable_variables)
        )
        self.a_opt.apply_gradients(
            zip(tape.gradient(actor_loss, self.actor.trainable_variables), self.actor.trainable_variables)
        )
        return critic_loss


def main():
    buf = OfflineBuffer("/data/d4rl/hopper-medium.npz")
    agent = TD3BC(buf.arrays["obs"].shape[1], buf.arrays["act"].shape[1])
    batches = buf.transitions().batch(256, drop_remainder=True).prefetch(tf.data.AUTOTUNE)
    for step, batch in enumerate(batches.take(1_000_000)):
        loss = agent.update(batch)
        if step % 5000 == 0:
            print(step, float(loss))


if __name__ == "__main__":
    main()
