import gymnasium as gym
import numpy as np
import tensorflow as tf


class Replay:
    def __init__(self, capacity, shape):
        self.frames = np.zeros((capacity, *shape), np.uint8)
        self.actions = np.zeros(capacity, np.int64)
        self.capacity, self.size = capacity, 0

    def add(self, frame, action):
        slot = self.size % self.capacity
        self.frames[slot], self.actions[slot] = frame, action
        self.size += 1

    def arrays(self):
        count = min(self.size, self.capacity)
        return self.frames[:count].astype(np.float32), self.actions[:count]


def record(policy, steps):
    env = gym.make("ALE/Breakout-v5", obs_type="grayscale")
    replay = Replay(steps, env.observation_space.shape)
    frame, _ = env.reset(seed=0)
    for _ in range(steps):
        action = policy(frame, env)
        replay.add(frame, action)
        frame, _, terminated, truncated, _ = env.step(action)
        if terminated or truncated:
            frame, _ = env.reset()
    env.close()
    return replay, env.action_space.n


def expert(frame, env):
    ball = frame[95:190].nonzero()[1]
    paddle = frame[190:194].nonzero()[1]
    if not len(ball) or not len(paddle):
        return 1
    return 2 if ball.mean() > paddle.mean() else 3


class CloningData:
    def __init__(self, replay, batch_size):
        self.batch_size = batch_size
        self.frames, self.actions = replay.arrays()

    def prepare(self, frames, actions):
        frames = tf.image.convert_image_dtype(frames[..., None], tf.float32)
        return tf.image.resize(frames, [84, 84], method="area"), actions

    def __call__(self):
        ds = tf.data.Dataset.from_tensor_slices((self.frames, self.actions))
        ds = ds.shuffle(len(self.actions)).batch(self.batch_size)
        ds = ds.map(self.prepare, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.prefetch(tf.data.AUTOTUNE)


def build(actions):
    return tf.keras.Sequential(
        [
            tf.keras.Input([84, 84, 1]),
            tf.keras.layers.Conv2D(32, 8, strides=4, activation="relu"),
            tf.keras.layers.Conv2D(64, 4, strides=2, activation="relu"),
            tf.keras.layers.Flatten(),
            tf.keras.layers.Dense(256, activation="relu"),
            tf.keras.layers.Dense(actions),
        ]
    )


def main():
    replay, actions = record(expert, 5000)
    policy = build(int(actions))
    policy.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), ["accuracy"])
    policy.fit(CloningData(replay, 128)(), epochs=20)


if __name__ == "__main__":
    main()
