"""Next-day temperature anomaly from ERA5 shards."""
from dataclasses import dataclass, field

import numpy as np
import tensorflow as tf


@dataclass
class Grid:
    lat: int = 181
    lon: int = 360
    days: int = 366


@dataclass
class Settings:
    shards: str = "gs://wx/era5_t2m/*.tfrecord"
    normals: str = "normals_1991_2020.f32"
    batch: int = 16
    epochs: int = 8
    grid: Grid = field(default_factory=Grid)


def daily_normals(cfg):
    g = cfg.grid
    raw = np.fromfile(cfg.normals, dtype=np.float32, count=g.days * g.lat * g.lon)
    return raw.reshape(g.days, g.lat, g.lon)


def parser_for(grid):
    schema = {
        "today": tf.io.FixedLenFeature([], tf.string),
        "tomorrow": tf.io.FixedLenFeature([], tf.string),
        "doy": tf.io.FixedLenFeature([], tf.int64),
    }

    def parse(blob):
        row = tf.io.parse_single_example(blob, schema)
        def field_of(key):
            return tf.reshape(tf.io.decode_raw(row[key], tf.float32), [grid.lat, grid.lon])
        return field_of("today"), field_of("tomorrow"), row["doy"]

    return parse


def anomaly_for(normals):
    last = normals.shape[0] - 1

    def anomaly(today, tomorrow, doy):
        base_now = tf.gather(normals, doy)
        base_next = tf.gather(normals, tf.minimum(doy + 1, last))
        return (today - base_now)[..., None], (tomorrow - base_next)[..., None]

    return anomaly


def dataset(cfg):
    files = tf.data.Dataset.list_files(cfg.shards, shuffle=True)
    ds = files.interleave(tf.data.TFRecordDataset, cycle_length=8,
                          num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
    ds = ds.shuffle(512)
    for fn in (parser_for(cfg.grid), anomaly_for(daily_normals(cfg))):
        ds = ds.map(fn, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(cfg.batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def network(grid):
    inp = tf.keras.Input((grid.lat, grid.lon, 1))
    x = inp
    for width in (32, 64, 32):
        x = tf.keras.layers.Conv2D(width, 5, padding="same", activation="gelu")(x)
    return tf.keras.Model(inp, tf.keras.layers.Conv2D(1, 1)(x))


if __name__ == "__main__":
    cfg = Settings()
    model = network(cfg.grid)
    model.compile(tf.keras.optimizers.AdamW(2e-4), "mse")
    model.fit(dataset(cfg), epochs=cfg.epochs)
