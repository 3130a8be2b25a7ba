import logging

import tensorflow as tf

log = logging.getLogger("input")
SPEC = {"x": tf.io.FixedLenFeature([100], tf.float32), "y": tf.io.FixedLenFeature([], tf.int64)}


class Reader:
    def __init__(self, pattern):
        self.pattern = pattern
        self.batches = 0

    def parse(self, records):
        self.batches += 1
        if self.batches % 100 == 0:
            log.info("%d batches parsed", self.batches)
        f = tf.io.parse_example(records, SPEC)
        return f["x"], f["y"]

    def dataset(self):
        files = tf.data.Dataset.list_files(self.pattern)
        ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.shuffle(50_000).batch(512)
        return ds.map(self.parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


model = tf.keras.Sequential([
    tf.keras.layers.Dense(256, activation="relu"),
    tf.keras.layers.Dense(40),
])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(Reader("/data/ads/*.tfrecord").dataset(), epochs=3)
