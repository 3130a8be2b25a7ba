import collections

import numpy as np
import tensorflow as tf

Transition = collections.namedtuple("Transition", "obs act rew nxt done")
make = tf.data.Dataset.from_generator


class Replay:
    def __init__(self, path):
        z = np.load(path)
        self.table = Transition(
            z["obs"].astype(np.float32), z["act"].astype(np.int32), z["rew"].astype(np.float32),
            z["nxt"].astype(np.float32), z["done"].astype(np.float32))
        self.rng = np.random.default_rng(0)

    def __iter__(self):
        n = len(self.table.act)
        while True:
            i = self.rng.integers(n)
            yield tuple(col[i] for col in self.table)

    def signature(self):
        return tuple(tf.TensorSpec(c.shape[1:], tf.as_dtype(c.dtype)) for c in self.table)


SOURCES = {
    "uniform": lambda r: make(lambda: iter(r), output_signature=r.signature()),
}


def q_net(actions):
    return tf.keras.Sequential([
        tf.keras.layers.Dense(256, "relu"), tf.keras.layers.Dense(256, "relu"), tf.keras.layers.Dense(actions)])


def train(path, kind="uniform", steps=100_000, gamma=0.99):
    ds = SOURCES[kind](Replay(path))
    ds = ds.batch(256, drop_remainder=True).prefetch(tf.data.AUTOTUNE)
    online, target = q_net(18), q_net(18)
    opt = tf.keras.optimizers.Adam(1e-4)

    @tf.function
    def update(obs, act, rew, nxt, done):
        best = tf.reduce_max(target(nxt), -1)
        goal = rew + gamma * (1.0 - done) * best
        with tf.GradientTape() as tape:
            q = tf.gather(online(obs), act, batch_dims=1)
            loss = tf.reduce_mean(tf.square(goal - q))
        v = online.trainable_variables
        opt.apply_gradients(zip(tape.gradient(loss, v), v))
        return loss

    for i, batch in enumerate(ds.take(steps)):
        loss = update(*batch)
        if i % 1000 == 0:
            target.set_weights(online.get_weights())
            print(i, float(loss))


train("offline/breakout_features.npz")
