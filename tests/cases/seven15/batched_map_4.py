import argparse
from types import SimpleNamespace

import numpy as np
import tensorflow as tf


class ImpressionInput:
    def __init__(self, arrays, cfg):
        self.arrays = arrays
        self.cfg = cfg

    def cross(self, row):
        user, ad = row["user"], row["ad"]
        feats = {
            "user": user % self.cfg.buckets,
            "ad": ad % self.cfg.buckets,
            "cross": (user * 31 + ad) % self.cfg.buckets,
            "bid": tf.math.log(row["bid"] + 1.0),
        }
        return feats, tf.cast(row["click"], tf.float32)

    def __call__(self):
        data = tf.data.Dataset.from_tensor_slices(self.arrays)
        return self._pack(self._features(self._mix(data)))

    def _mix(self, data):
        return data.shuffle(self.cfg.buffer, seed=1)

    def _features(self, data):
        return data.map(self.cross, num_parallel_calls=tf.data.AUTOTUNE)

    def _pack(self, data):
        return data.batch(self.cfg.batch).prefetch(tf.data.AUTOTUNE)


class Ranker(tf.keras.Model):
    def __init__(self, buckets):
        super().__init__()
        self.tables = {k: tf.keras.layers.Embedding(buckets, 16) for k in ("user", "ad", "cross")}
        self.top = tf.keras.Sequential([tf.keras.layers.Dense(64, "relu"), tf.keras.layers.Dense(1)])

    def call(self, f):
        parts = [self.tables[k](f[k]) for k in ("user", "ad", "cross")]
        return self.top(tf.concat(parts + [f["bid"][:, tf.newaxis]], -1))


def main(cfg):
    arrays = dict(np.load(cfg.path))
    net = Ranker(cfg.buckets)
    net.compile(tf.keras.optimizers.Adagrad(0.02), tf.keras.losses.BinaryCrossentropy(from_logits=True))
    net.fit(ImpressionInput(arrays, cfg)(), epochs=2)


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--path", default="impressions.npz")
    p.add_argument("--buckets", type=int, default=1 << 18)
    p.add_argument("--buffer", type=int, default=500_000)
    p.add_argument("--batch", type=int, default=8192)
    main(SimpleNamespace(**vars(p.parse_args())))
