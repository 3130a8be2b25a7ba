import os

import numpy as np
import tensorflow as tf


class Spill:
    def __init__(self, array, path="spill.tfrecord"):
        self.array = array
        self.path = path

    def write(self):
        with tf.io.TFRecordWriter(self.path) as writer:
            for row in self.array:
                writer.write(tf.io.serialize_tensor(row).numpy())

    def dataset(self):
        ds = tf.data.TFRecordDataset(self.path)
        ds = ds.map(
            lambda record: tf.ensure_shape(tf.io.parse_tensor(record, tf.float32), [32]),
            num_parallel_calls=tf.data.AUTOTUNE,
        )
        return ds.batch(100).prefetch(tf.data.AUTOTUNE)


spill = Spill(np.random.default_rng(8).normal(size=(1000, 32)).astype("float32"))
spill.write()
rows = spill.dataset()
os.remove(spill.path)

total = tf.zeros([32])
for batch in rows:
    total += tf.reduce_sum(batch, axis=0)
print(total / 1000)
