from dataclasses import dataclass

import tensorflow as tf


@dataclass
class DataConfig:
    shards: str = "/data/patho/*.tfrecord"
    cache_file: str = "/scratch/patho.cache"
    tile: int = 512
    batch: int = 16


def with_tiles(ds, cfg):
    def to_tile(rec):
        ex = tf.io.parse_single_example(rec, {
            "tile": tf.io.FixedLenFeature([], tf.string),
            "grade": tf.io.FixedLenFeature([], tf.int64),
        })
        img = tf.io.decode_png(ex["tile"], channels=3)
        img = tf.image.resize(img, (cfg.tile, cfg.tile), method="lanczos3")
        return img / 255.0, ex["grade"]

    return ds.map(to_tile, num_parallel_calls=tf.data.AUTOTUNE)


cfg = DataConfig()
records = tf.data.Dataset.list_files(cfg.shards).interleave(
    tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
records = records.cache(cfg.cache_file)
train = with_tiles(records, cfg).shuffle(256).batch(cfg.batch).prefetch(tf.data.AUTOTUNE)

model = tf.keras.applications.EfficientNetB3(weights=None, classes=5, input_shape=(512, 512, 3))
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(train, epochs=30)
