from dataclasses import dataclass, field

import tensorflow as tf

REGISTRY = {}


def step(name):
    def wrap(fn):
        REGISTRY[name] = fn
        return fn
    return wrap


@dataclass
class DataConfig:
    pattern: str = "/mnt/taxi/trips-2023-*.csv"
    batch_size: int = 2048
    hash_bins: int = 4096
    steps: list[str] = field(default_factory=lambda: ["csv", "hash", "time"])


@step("csv")
def csv(cfg):
    defaults = ["", "", 0.0, 0.0, 0.0]

    def fn(line):
        pickup, dropoff, hour, distance, fare = tf.io.decode_csv(line, defaults)
        return {"pickup": pickup, "dropoff": dropoff, "hour": hour, "distance": distance}, fare
    return fn


@step("hash")
def hashed(cfg):
    def fn(x, y):
        for key in ("pickup", "dropoff"):
            x[key] = tf.strings.to_hash_bucket_fast(x[key], cfg.hash_bins)
        return x, y
    return fn


@step("time")
def cyclic(cfg):
    def fn(x, y):
        angle = x.pop("hour") * (2 * 3.141592653589793 / 24)
        x["sin"], x["cos"] = tf.sin(angle), tf.cos(angle)
        return x, y
    return fn


def make_dataset(cfg):
    files = tf.data.Dataset.list_files(cfg.pattern)
    ds = files.interleave(lambda f: tf.data.TextLineDataset(f).skip(1),
                          num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(50_000)
    for name in cfg.steps:
        ds = ds.map(REGISTRY[name](cfg), num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(cfg.batch_size)
    return ds.prefetch(tf.data.AUTOTUNE)


if __name__ == "__main__":
    cfg = DataConfig()
    emb = tf.keras.layers.Embedding(cfg.hash_bins, 16)
    head = tf.keras.Sequential([tf.keras.layers.Dense(64, "relu"), tf.keras.layers.Dense(1)])
    opt = tf.keras.optimizers.Adam(1e-3)

    @tf.function
    def train(x, y):
        with tf.GradientTape() as tape:
            num = tf.stack([x["distance"], x["sin"], x["cos"]], -1)
            h = tf.concat([emb(x["pickup"]), emb(x["dropoff"]), num], -1)
            loss = tf.reduce_mean(tf.abs(head(h)[:, 0] - y))
        weights = emb.trainable_variables + head.trainable_variables
        opt.apply_gradients(zip(tape.gradient(loss, weights), weights))
        return loss

    for x, y in make_dataset(cfg):
        train(x, y)
