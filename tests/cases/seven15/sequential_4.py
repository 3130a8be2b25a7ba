import dataclasses
import typing as t

import tensorflow as tf


@dataclasses.dataclass(frozen=True)
class LoaderConfig:
    table: str
    size: int = 512
    batch: int = 8
    workers: t.Optional[int] = None
    ahead: int = tf.data.AUTOTUNE


@dataclasses.dataclass(frozen=True)
class RunConfig:
    loader: LoaderConfig
    epochs: int = 15
    lr: float = 1e-4


def read_scan(size):
    def fn(path, label):
        raw = tf.io.read_file(path)
        scan = tf.io.decode_png(raw, channels=1, dtype=tf.uint16)
        scan = tf.image.resize(scan, (size, size), method="bicubic")
        lo, hi = tf.reduce_min(scan), tf.reduce_max(scan)
        return (scan - lo) / tf.maximum(hi - lo, 1.0), label
    return fn


def read_table(path):
    with open(path) as f:
        rows = [r.strip().split(",") for r in f][1:]
    return [r[0] for r in rows], [float(r[1]) for r in rows]


def loader(cfg: LoaderConfig) -> tf.data.Dataset:
    paths, labels = read_table(cfg.table)
    return (
        tf.data.Dataset.from_tensor_slices((paths, labels))
        .shuffle(len(paths))
        .map(read_scan(cfg.size), num_parallel_calls=cfg.workers)
        .batch(cfg.batch)
        .prefetch(cfg.ahead)
    )


def build(lr):
    net = tf.keras.Sequential([
        tf.keras.layers.Conv2D(16, 5, 2, activation="relu"),
        tf.keras.layers.Conv2D(32, 3, 2, activation="relu"),
        tf.keras.layers.Conv2D(64, 3, 2, activation="relu"),
        tf.keras.layers.GlobalAveragePooling2D(),
        tf.keras.layers.Dense(1, activation="sigmoid"),
    ])
    net.compile(tf.keras.optimizers.Adam(lr), "binary_crossentropy", metrics=[tf.keras.metrics.AUC()])
    return net


if __name__ == "__main__":
    run = RunConfig(LoaderConfig(table="/med/cxr/train.csv"))
    build(run.lr).fit(loader(run.loader), epochs=run.epochs)
