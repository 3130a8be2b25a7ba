"""DQN-style offline training on logged transitions."""
import numpy as np
import tensorflow as tf


class TransitionData:
    chunk = 16

    def __init__(self, path):
        self.store = np.load(path)

    def dataset(self):
        s = self.store
        arrays = {k: s[k] for k in ("obs", "action", "reward", "next_obs", "done")}
        ds = tf.data.Dataset.from_tensor_slices(arrays)
        return ds.shuffle(len(s["reward"])).batch(self.chunk)


class LargeBatchData(TransitionData):
    def __init__(self, path, size):
        super().__init__(path)
        self.size = size

    def dataset(self):
        flat = super().dataset().unbatch()
        return flat.batch(self.size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def q_net(actions):
    return tf.keras.Sequential([
        tf.keras.layers.Dense(256, "relu"),
        tf.keras.layers.Dense(256, "relu"),
        tf.keras.layers.Dense(actions),
    ])


def train(path, actions=6, gamma=0.99, epochs=100):
    online, target = q_net(actions), q_net(actions)
    opt = tf.keras.optimizers.Adam(2.5e-4)
    data = LargeBatchData(path, 1024).dataset()
    online.build((None, 17))
    target.build((None, 17))

    @tf.function
    def update(b):
        best = tf.reduce_max(target(b["next_obs"]), axis=1)
        goal = b["reward"] + gamma * (1.0 - b["done"]) * best
        with tf.GradientTape() as tape:
            q = tf.gather(online(b["obs"]), b["action"], batch_dims=1)
            loss = tf.reduce_mean(tf.keras.losses.huber(goal[:, None], q[:, None]))
        opt.apply_gradients(zip(tape.gradient(loss, online.trainable_variables), online.trainable_variables))
        return loss

    for epoch in range(epochs):
        for b in data:
            loss = update(b)
        target.set_weights(online.get_weights())
        print(epoch, loss.numpy())


if __name__ == "__main__":
    train("/rl/walker_transitions.npz")
