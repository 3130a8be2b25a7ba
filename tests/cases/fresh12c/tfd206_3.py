"""Satellite tile classification; reproducible but varying augmentation."""
from dataclasses import dataclass

import tensorflow as tf


@dataclass(frozen=True)
class Config:
    shards: str = "gs://eo-tiles/train/part-*.tfrecord"
    batch: int = 128
    steps: int = 40_000
    seed: tuple = (17, 4)


def parse(rec):
    ex = tf.io.parse_single_example(rec, {
        "tile": tf.io.FixedLenFeature([], tf.string),
        "land_use": tf.io.FixedLenFeature([], tf.int64),
    })
    return tf.ensure_shape(tf.io.decode_png(ex["tile"], channels=3), (96, 96, 3)), ex["land_use"]


def augmenter(cfg):
    base = tf.constant(cfg.seed, tf.int32)

    def apply(index, pair):
        tile, label = pair
        seed = tf.random.experimental.stateless_fold_in(base, index)
        tile = tf.image.stateless_random_flip_up_down(tile, seed=seed)
        tile = tf.image.stateless_random_crop(tile, (80, 80, 3), seed=seed + 1)
        return tf.cast(tile, tf.float32) / 255.0, label

    return apply


def build(cfg):
    files = tf.data.Dataset.list_files(cfg.shards, seed=cfg.seed[0])
    ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(10_000, seed=cfg.seed[1]).repeat()
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.enumerate().map(augmenter(cfg), num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(cfg.batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


if __name__ == "__main__":
    cfg = Config()
    model = tf.keras.applications.ResNet50(weights=None, input_shape=(80, 80, 3), classes=21)
    model.compile("sgd", "sparse_categorical_crossentropy")
    model.fit(build(cfg), steps_per_epoch=1000, epochs=cfg.steps // 1000)
