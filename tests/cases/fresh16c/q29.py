"""Offline DQN from a replay log (grid world)."""
import os

import numpy as np
import tensorflow as tf

GAMMA = 0.99
ACTIONS = 5


class Agent(tf.Module):
    def __init__(self):
        self.q = self._net()
        self.target = self._net()
        self.opt = tf.keras.optimizers.Adam(1e-4)
        self.target.set_weights(self.q.get_weights())

    @staticmethod
    def _net():
        return tf.keras.Sequential([
            tf.keras.Input((32,)),
            tf.keras.layers.Dense(256, activation="relu"),
            tf.keras.layers.Dense(256, activation="relu"),
            tf.keras.layers.Dense(ACTIONS),
        ])

    @tf.function
    def learn(self, obs, action, reward, nxt, done):
        best = tf.reduce_max(self.target(nxt), axis=1)
        goal = reward + GAMMA * (1.0 - done) * best
        with tf.GradientTape() as tape:
            q = tf.gather(self.q(obs), action, batch_dims=1)
            loss = tf.reduce_mean(tf.square(goal - q))
        grads = tape.gradient(loss, self.q.trainable_variables)
        self.opt.apply_gradients(zip(grads, self.q.trainable_variables))


def replay(path, batch_size):
    log = np.load(path)
    fields = (log["obs"], log["action"].astype("int32"), log["reward"], log["next_obs"], log["done"])
    n = len(log["reward"])
    ds = tf.data.Dataset.from_tensor_slices(fields)
    return ds.shuffle(n).batch(batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def main(workdir="/runs/dqn", epochs=50):
    agent = Agent()
    step = tf.Variable(0, dtype=tf.int64)
    ckpt = tf.train.Checkpoint(q=agent.q, target=agent.target, opt=agent.opt, step=step)
    manager = tf.train.CheckpointManager(ckpt, os.path.join(workdir, "ckpt"), max_to_keep=3)
    if manager.restore_or_initialize():
        print("resumed at", int(step))
    data = replay(os.path.join(workdir, "replay.npz"), 512)
    for epoch in range(epochs):
        for transition in data:
            agent.learn(*transition)
            step.assign_add(1)
            manager.save()
        agent.target.set_weights(agent.q.get_weights())
        print("epoch", epoch, "finished")


if __name__ == "__main__":
    main()
