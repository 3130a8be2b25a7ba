import datetime as dt

import numpy as np
import tensorflow as tf


class Perturbation:
    def __init__(self, seed=0):
        self.rng = np.random.default_rng(seed)

    def sample(self, shape):
        raise NotImplementedError

    def __call__(self, obs):
        return obs + self.sample(obs.shape)


class Gaussian(Perturbation):
    def __init__(self, sigma, **kw):
        super().__init__(**kw)
        self.sigma = sigma

    def sample(self, shape):
        return self.rng.normal(0.0, self.sigma, size=shape.as_list()).astype(np.float32)


class OfflineRuns:
    """Transitions of a logged robot arm, for behaviour cloning with noisy observations."""

    OBS, ACT = 39, 7

    def __init__(self, pattern, noise):
        self.pattern = pattern
        self.noise = noise

    def _decode(self, blob):
        row = tf.io.parse_single_example(blob, {
            "obs": tf.io.FixedLenFeature([self.OBS], tf.float32),
            "act": tf.io.FixedLenFeature([self.ACT], tf.float32),
        })
        return row["obs"], row["act"]

    def _disturb(self, obs, act):
        return self.noise(obs), act

    def stream(self, batch):
        files = tf.data.Dataset.list_files(self.pattern)
        ds = files.interleave(tf.data.TFRecordDataset, cycle_length=8,
                              num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.shuffle(100_000)
        ds = ds.map(self._decode, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.map(self._disturb, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


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
    clone.fit(runs.stream(512), epochs=50)
    clone.save(f"clone_{dt.date.today():%Y%m%d}.keras")
