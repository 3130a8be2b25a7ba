import glob
import os

import numpy as np
import tensorflow as tf


class Worker:
    def __init__(self):
        self.size = int(os.environ["OMPI_COMM_WORLD_SIZE"])
        self.rank = int(os.environ["OMPI_COMM_WORLD_RANK"])
        self.rng = np.random.default_rng()

    def file_list(self, pattern):
        names = sorted(glob.glob(pattern))
        self.rng.shuffle(names)
        return names

    def dataset(self, pattern, batch):
        files = tf.data.Dataset.from_tensor_slices(self.file_list(pattern))
        own = files.shard(self.size, self.rank)
        ds = own.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
        ds = ds.shuffle(8000).batch(batch)
        return ds.map(self.parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)

    @staticmethod
    def parse(records):
        d = tf.io.parse_example(records, {
            "x": tf.io.FixedLenFeature([10], tf.float32), "y": tf.io.FixedLenFeature([], tf.int64)})
        return d["x"], d["y"]


model = tf.keras.Sequential([tf.keras.layers.Dense(32, activation="relu"), tf.keras.layers.Dense(3, activation="softmax")])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(Worker().dataset("/lustre/run7/*.rec", 128), epochs=3)
