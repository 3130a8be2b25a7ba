import datetime as dt

import numpy as np
import tensorflow as tf


class Perturbation:
    def __init__(self, seed=0):
        rng = np.random.default_rng(seed)
        self.seed = rng.integers(0, 2**31 - 1, size=2).tolist()

    def sample(self, shape, index):
        raise NotImplementedError

    def __call__(self, index, obs):
        return obs + self.sample(tf.shape(obs), index)


class Gaussian(Perturbation):
    def __init__(self, sigma, **kw):
        super().__init__(**kw)
        self.sigma = sigma

    def sample(self, shape, index):
        seed = tf.random.fold_in(tf.constant(self.seed), tf.cast(index, tf.int32))
        return tf.random.stateless_normal(shape, seed, stddev=self.sigma)


class OfflineRuns:
    """Transitions of a logged robot arm, for behaviour cloning with noisy observations."""

    OBS, ACT = 39, 7

    def __init__(self, pattern, noise):
        self.pattern = pattern
        self.noise = noise

    def _decode(self, blobs):
        rows = tf.io.parse_example(blobs, {
            "obs": tf.io.FixedLenFeature([self.OBS], tf.float32),
            "act": tf.io.FixedLenFeature([self.ACT], tf.float32),
        })
        return rows["obs"], rows["act"]

    def _disturb(self, index, pair):
        obs, act = pair
        return self.noise(index, obs), act

    def stream(self, batch):
        files = tf.data.Dataset.list_files(self.pattern)
        ds = files.interleave(tf.data.TFRecordDataset, cycle_length=8,
                              num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.shuffle(100_000).repeat().batch(batch, drop_remainder=True)
        ds = ds.map(self._decode, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.enumerate().map(self._disturb, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.prefetch(tf.data.AUTOTUNE)


def policy():
    return tf.keras.Sequential([
        tf.keras.Input((OfflineRuns.OBS,)),
        tf.keras.layers.Dense(256, activation="elu"),
        tf.keras.layers.Dense(256, activation="elu"),
        tf.keras.layers.Dense(OfflineRuns.ACT, activation="tanh"),
    ])


if __name__ == "__main__":
    runs = OfflineRuns("arm/*.tfrecord", Gaussian(0.05, seed=5))
    clone = policy()
    clone.compile(tf.keras.optimizers.Adam(3e-4), "mse")
    clone.fit(runs.stream(512), epochs=50, steps_per_epoch=2000)
    clone.save(f"clone_{dt.date.today():%Y%m%d}.keras")
