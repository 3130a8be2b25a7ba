"""Next-day temperature anomaly from ERA5 shards."""
from dataclasses import dataclass

import numpy as np
import tensorflow as tf

LAT, LON, DAYS = 181, 360, 366


@dataclass
class Settings:
    shards: str = "gs://wx/era5_t2m/*.tfrecord"
    normals: str = "normals_1991_2020.f32"
    batch: int = 16
    epochs: int = 8


SCHEMA = {
    "today": tf.io.FixedLenFeature([], tf.string),
    "tomorrow": tf.io.FixedLenFeature([], tf.string),
    "doy": tf.io.FixedLenFeature([], tf.int64),
}


class AnomalyReader:
    def __init__(self, cfg):
        self.cfg = cfg
        raw = np.fromfile(cfg.normals, dtype=np.float32, count=DAYS * LAT * LON)
        with tf.device("CPU:0"):
            self.normals = tf.constant(raw.reshape(DAYS, LAT, LON))
        mean = raw.mean()
        self.offset = np.float32(mean)

    def parse(self, blob):
        row = tf.io.parse_single_example(blob, SCHEMA)
        grids = [tf.reshape(tf.io.decode_raw(row[k], tf.float32), [LAT, LON])
                 for k in ("today", "tomorrow")]
        return grids[0], grids[1], row["doy"]

    def anomaly(self, today, tomorrow, doy):
        base_now = tf.gather(self.normals, doy)
        base_next = tf.gather(self.normals, tf.minimum(doy + 1, DAYS - 1))
        x = (today - base_now)[..., None]
        y = (tomorrow - base_next)[..., None]
        return x, y

    def __call__(self):
        files = tf.data.Dataset.list_files(self.cfg.shards, shuffle=True)
        ds = files.interleave(tf.data.TFRecordDataset, cycle_length=8,
                              num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
        ds = ds.shuffle(512)
        for fn in (self.parse, self.anomaly):
            ds = ds.map(fn, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(self.cfg.batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def network():
    inp = tf.keras.Input((LAT, LON, 1))
    x = inp
    for width in (32, 64, 32):
        x = tf.keras.layers.Conv2D(width, 5, padding="same", activation="gelu")(x)
    return tf.keras.Model(inp, tf.keras.layers.Conv2D(1, 1)(x))


if __name__ == "__main__":
    cfg = Settings()
    reader = AnomalyReader(cfg)
    print("mean normal [K]", reader.offset)
    model = network()
    model.compile(tf.keras.optimizers.AdamW(2e-4), "mse")
    model.fit(reader(), epochs=cfg.epochs)
