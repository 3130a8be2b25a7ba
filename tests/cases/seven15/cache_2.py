from enum import Enum

import tensorflow as tf


class Stage(Enum):
    READ = 1
    CACHE = 2
    PARSE = 3
    SHUFFLE = 4
    BATCH = 5
    PREFETCH = 6


def parse(rec):
    ex = tf.io.parse_single_example(rec, {
        "ct": tf.io.FixedLenFeature([], tf.string),
        "dose": tf.io.FixedLenFeature([], tf.float32),
    })
    vol = tf.io.decode_png(ex["ct"], channels=1, dtype=tf.uint16)
    vol = tf.image.resize(vol, [384, 384], method="lanczos3")
    vol = tf.image.per_image_standardization(vol)
    return vol, ex["dose"]


class Builder:
    ORDER = [Stage.READ, Stage.CACHE, Stage.PARSE, Stage.SHUFFLE, Stage.BATCH, Stage.PREFETCH]

    def __init__(self, pattern, batch):
        self.pattern, self.batch = pattern, batch

    def run_stage(self, stage, ds):
        if stage is Stage.READ:
            files = tf.data.Dataset.list_files(self.pattern, shuffle=True)
            return files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
        if stage is Stage.CACHE:
            return ds.cache()
        if stage is Stage.PARSE:
            return ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
        if stage is Stage.SHUFFLE:
            return ds.shuffle(500)
        if stage is Stage.BATCH:
            return ds.batch(self.batch)
        return ds.prefetch(tf.data.AUTOTUNE)

    def build(self):
        ds = None
        for stage in self.ORDER:
            ds = self.run_stage(stage, ds)
        return ds


def regressor():
    inp = tf.keras.Input((384, 384, 1))
    h = inp
    for f in (16, 32, 64):
        h = tf.keras.layers.Conv2D(f, 3, strides=2, activation="relu")(h)
    return tf.keras.Model(inp, tf.keras.layers.Dense(1)(tf.keras.layers.GlobalAveragePooling2D()(h)))


if __name__ == "__main__":
    net = regressor()
    net.compile("adam", "mse")
    net.fit(Builder("/ct/train-*.tfrecord", 8).build(), epochs=60)
