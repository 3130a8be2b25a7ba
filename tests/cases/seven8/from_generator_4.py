"""DQN learner: Atari replay buffer exposed as a dataset."""
import collections

import gymnasium as gym
import numpy as np
import tensorflow as tf
from tensorflow.data import Dataset

Transition = collections.namedtuple("Transition", "obs action reward next_obs done")


class ReplayBuffer:
    def __init__(self, capacity=1_000_000, shape=(84, 84, 4)):
        self.capacity = capacity
        self.obs = np.zeros((capacity,) + shape, np.uint8)
        self.next_obs = np.zeros((capacity,) + shape, np.uint8)
        self.action = np.zeros(capacity, np.int32)
        self.reward = np.zeros(capacity, np.float32)
        self.done = np.zeros(capacity, np.float32)
        self.size = self.pos = 0

    def add(self, o, a, r, n, d):
        i = self.pos
        self.obs[i], self.action[i], self.reward[i] = o, a, r
        self.next_obs[i], self.done[i] = n, d
        self.pos = (i + 1) % self.capacity
        self.size = min(self.size + 1, self.capacity)

    def __call__(self):
        while True:
            i = np.random.randint(self.size)
            yield Transition(self.obs[i], self.action[i], self.reward[i],
                             self.next_obs[i], self.done[i])

    def as_dataset(self, batch_size):
        shape = self.obs.shape[1:]
        sig = Transition(tf.TensorSpec(shape, tf.uint8), tf.TensorSpec((), tf.int32),
                         tf.TensorSpec((), tf.float32), tf.TensorSpec(shape, tf.uint8),
                         tf.TensorSpec((), tf.float32))
        ds = Dataset.from_generator(self, output_signature=sig)
        return ds.batch(batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def q_network(n):
    return tf.keras.Sequential([
        tf.keras.layers.Rescaling(1 / 255.0, input_shape=(84, 84, 4)),
        tf.keras.layers.Conv2D(32, 8, 4, activation="relu"),
        tf.keras.layers.Conv2D(64, 4, 2, activation="relu"),
        tf.keras.layers.Conv2D(64, 3, 1, activation="relu"),
        tf.keras.layers.Flatten(),
        tf.keras.layers.Dense(512, activation="relu"),
        tf.keras.layers.Dense(n)])


def main(total=10_000_000, warmup=50_000, batch_size=512):
    env = gym.wrappers.FrameStack(gym.wrappers.AtariPreprocessing(
        gym.make("BreakoutNoFrameskip-v4")), 4)
    n = env.action_space.n
    q, target = q_network(n), q_network(n)
    opt = tf.keras.optimizers.Adam(1e-4)
    replay = ReplayBuffer()

    @tf.function
    def learn(t):
        best = tf.reduce_max(target(t.next_obs), -1)
        y = t.reward + 0.99 * (1.0 - t.done) * best
        with tf.GradientTape() as tape:
            qa = tf.reduce_sum(q(t.obs) * tf.one_hot(t.action, n), -1)
            loss = tf.reduce_mean(tf.keras.losses.huber(y[:, None], qa[:, None]))
        opt.apply_gradients(zip(tape.gradient(loss, q.trainable_variables), q.trainable_variables))

    batches = None
    obs, _ = env.reset()
    for step in range(total):
        eps = max(0.05, 1.0 - step / 1e6)
        s = np.moveaxis(np.asarray(obs), 0, -1)
        a = env.action_space.sample() if np.random.rand() < eps else int(tf.argmax(q(s[None])[0]))
        nxt, r, term, trunc, _ = env.step(a)
        replay.add(s, a, np.sign(r), np.moveaxis(np.asarray(nxt), 0, -1), float(term))
        obs = env.reset()[0] if term or trunc else nxt
        if step > warmup and step % 4 == 0:
            batches = batches or iter(replay.as_dataset(batch_size))
            learn(next(batches))
        if step % 10_000 == 0:
            target.set_weights(q.get_weights())


if __name__ == "__main__":
    main()
