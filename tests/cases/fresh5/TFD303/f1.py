import dataclasses

import tensorflow as tf


@dataclasses.dataclass
class InputConfig:
    pattern: str
    batch_size: int = 128
    cache_path: str = "/local/cache"
    is_training: bool = True


SPEC = {"x": tf.io.FixedLenFeature([64], tf.float32), "y": tf.io.FixedLenFeature([], tf.int64)}


def parse(batch):
    f = tf.io.parse_example(batch, SPEC)
    return f["x"], f["y"]


def finish(ds, cfg):
    ds = ds.cache(cfg.cache_path)
    return ds.prefetch(tf.data.AUTOTUNE)


def make(cfg):
    files = tf.data.Dataset.list_files(cfg.pattern)
    ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(50_000).repeat()
    ds = ds.batch(cfg.batch_size, drop_remainder=True)
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return finish(ds, cfg)


cfg = InputConfig("/data/clicks/part-*.tfrecord")
model = tf.keras.Sequential([tf.keras.layers.Dense(64, "relu"), tf.keras.layers.Dense(10)])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(make(cfg), steps_per_epoch=5000, epochs=10)
