"""DCN-v2 on Criteo Kaggle (45M rows), rows held as columnar numpy memmaps."""
import pathlib

import numpy as np
import tensorflow as tf
import yaml

BUCKETS = 1_000_000


class FeatureEngineering:
    """Stateless transforms; shared by training and serving."""

    def __init__(self, crosses):
        self.crosses = [tuple(c) for c in crosses]

    def __call__(self, row, click):
        dense = tf.math.log1p(tf.maximum(row["dense"], 0.0))
        out = {"dense": dense}
        for name in sorted(k for k in row if k != "dense"):
            out[name] = tf.math.floormod(row[name], BUCKETS)
        for a, b in self.crosses:
            out[f"{a}_x_{b}"] = tf.math.floormod(row[a] * 1000003 + row[b], BUCKETS)
        return out, tf.cast(click, tf.float32)


def columns(root):
    root = pathlib.Path(root)
    table = {"dense": np.load(root / "dense.npy", mmap_mode="r")}
    for p in sorted(root.glob("C*.npy")):
        table[p.stem] = np.load(p, mmap_mode="r").astype(np.int64)
    return table, np.load(root / "click.npy")


def per_row(ds, fn):
    return ds.map(fn, num_parallel_calls=tf.data.AUTOTUNE)


def grouped(ds, size):
    return ds.batch(size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def train_dataset(cfg):
    table, click = columns(cfg["root"])
    ds = tf.data.Dataset.from_tensor_slices((table, click)).shuffle(cfg["shuffle"])
    ds = per_row(ds, FeatureEngineering(cfg["crosses"]))
    return grouped(ds, cfg["batch"])


class CrossLayer(tf.keras.layers.Layer):
    def build(self, shape):
        self.w = self.add_weight(shape=(shape[0][-1], shape[0][-1]), initializer="glorot_uniform")
        self.b = self.add_weight(shape=(shape[0][-1],), initializer="zeros")

    def call(self, inputs):
        x0, x = inputs
        return x0 * (tf.matmul(x, self.w) + self.b) + x


class DCN(tf.keras.Model):
    def __init__(self, dim=16, crosses=3):
        super().__init__()
        self.emb = tf.keras.layers.Embedding(BUCKETS, dim)
        self.cross = [CrossLayer() for _ in range(crosses)]
        self.deep = tf.keras.Sequential([tf.keras.layers.Dense(w, "relu") for w in (512, 256)])
        self.out = tf.keras.layers.Dense(1)

    def call(self, feats):
        ids = tf.stack([v for k, v in sorted(feats.items()) if k != "dense"], 1)
        e = self.emb(ids)
        x0 = tf.concat([feats["dense"], tf.reshape(e, [tf.shape(e)[0], e.shape[1] * e.shape[2]])], -1)
        x = x0
        for layer in self.cross:
            x = layer((x0, x))
        return self.out(tf.concat([x, self.deep(x0)], -1))


def main():
    cfg = yaml.safe_load(open("configs/criteo_dcn.yaml"))
    model = DCN()
    model.compile("adam", tf.keras.losses.BinaryCrossentropy(from_logits=True),
                  metrics=[tf.keras.metrics.AUC(from_logits=True)])
    model.fit(train_dataset({"batch": 8192, "shuffle": 1_000_000, **cfg}), epochs=2)


if __name__ == "__main__":
    main()
