"""Behaviour cloning from CSV flight logs."""
import pathlib
from dataclasses import dataclass, field

import tensorflow as tf


@dataclass
class ReadOptions:
    cycle_length: int = 2
    block_length: int = 64
    num_parallel_calls: int = 8
    deterministic: bool = False

    def as_kwargs(self):
        return vars(self)


@dataclass
class CloneConfig:
    logs: str = "/flights/2023"
    batch: int = 512
    read: ReadOptions = field(default_factory=ReadOptions)


def rows_of(path):
    return tf.data.TextLineDataset(path).skip(1)


class FlightData:
    COLUMNS = [[0.0]] * 14

    def __init__(self, cfg):
        self.cfg = cfg
        self.logs = sorted(str(p) for p in pathlib.Path(cfg.logs).glob("*.csv"))

    def parse(self, lines):
        cols = tf.io.decode_csv(lines, self.COLUMNS)
        return tf.stack(cols[:10], axis=1), tf.stack(cols[10:], axis=1)

    def dataset(self):
        logs = tf.data.Dataset.from_tensor_slices(self.logs).shuffle(len(self.logs))
        lines = logs.interleave(rows_of, **self.cfg.read.as_kwargs())
        lines = lines.shuffle(50_000)
        ds = lines.batch(self.cfg.batch)
        return ds.map(self.parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(2)


def policy():
    return tf.keras.Sequential([
        tf.keras.layers.Normalization(),
        tf.keras.layers.Dense(256, activation="tanh"),
        tf.keras.layers.Dense(256, activation="tanh"),
        tf.keras.layers.Dense(4),
    ])


if __name__ == "__main__":
    cfg = CloneConfig()
    data = FlightData(cfg).dataset()
    pi = policy()
    pi.layers[0].adapt(data.map(lambda s, a: s).take(100))
    pi.compile("adam", "huber")
    pi.fit(data, epochs=40)
