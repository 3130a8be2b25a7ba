"""Click-through model over daily gzip logs."""
import dataclasses
import gzip
import json
import pathlib

import tensorflow as tf


@dataclasses.dataclass
class CTRConfig:
    logs: str = "/warehouse/clicks/2024-*"
    dense: int = 13
    sparse: int = 26
    buckets: int = 1_000_000
    batch: int = 4096


def day_rows(path):
    with gzip.open(path.decode(), "rt") as f:
        for line in f:
            r = json.loads(line)
            yield r["dense"], r["sparse"], r["click"]


def day_dataset(cfg):
    signature = (
        tf.TensorSpec([cfg.dense], tf.float32),
        tf.TensorSpec([cfg.sparse], tf.string),
        tf.TensorSpec([], tf.float32),
    )

    def open_day(path):
        return tf.data.Dataset.from_generator(
            day_rows, args=(path,), output_signature=signature)

    return open_day


class CTRTask:
    def __init__(self, cfg):
        self.cfg = cfg

    def inputs(self):
        days = sorted(str(p / "log.json.gz") for p in pathlib.Path("/").glob(self.cfg.logs[1:]))
        ds = tf.data.Dataset.from_tensor_slices(days)
        ds = ds.interleave(day_dataset(self.cfg), cycle_length=8, num_parallel_calls=8)
        ds = ds.shuffle(200_000).batch(self.cfg.batch, drop_remainder=True)
        return ds.map(lambda d, s, y: ({"dense": d, "sparse": s}, y),
                      num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)

    def model(self):
        dense = tf.keras.Input([self.cfg.dense], name="dense")
        sparse = tf.keras.Input([self.cfg.sparse], name="sparse", dtype=tf.string)
        ids = tf.keras.layers.Hashing(self.cfg.buckets)(sparse)
        emb = tf.keras.layers.Flatten()(tf.keras.layers.Embedding(self.cfg.buckets, 16)(ids))
        x = tf.keras.layers.Concatenate()([dense, emb])
        for units in (512, 256, 128):
            x = tf.keras.layers.Dense(units, activation="relu")(x)
        return tf.keras.Model([dense, sparse], tf.keras.layers.Dense(1, activation="sigmoid")(x))


if __name__ == "__main__":
    task = CTRTask(CTRConfig())
    net = task.model()
    net.compile("adagrad", "binary_crossentropy", metrics=["AUC"])
    net.fit(task.inputs(), epochs=1)
