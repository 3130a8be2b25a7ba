import glob
import os

import tensorflow as tf


class SensorData:
    def __init__(self, root, batch_size=128):
        self.shards = sorted(glob.glob(os.path.join(root, "**", "*.rec"), recursive=True))
        self.batch_size = batch_size

    @staticmethod
    def _records(fname):
        return tf.data.FixedLengthRecordDataset(fname, record_bytes=4 * 65, header_bytes=16)

    @staticmethod
    def _unpack(raw):
        values = tf.reshape(tf.io.decode_raw(raw, tf.float32), [-1, 65])
        return values[:, :64], values[:, 64]

    def training_set(self):
        names = tf.data.Dataset.from_tensor_slices(self.shards).shuffle(len(self.shards))
        rows = names.flat_map(self._records)
        rows = rows.shuffle(20_000).batch(self.batch_size, drop_remainder=True)
        rows = rows.map(self._unpack, num_parallel_calls=tf.data.AUTOTUNE)
        return rows.prefetch(tf.data.AUTOTUNE)


data = SensorData("/data/turbines")
model = tf.keras.Sequential([tf.keras.layers.Dense(128, activation="relu"), tf.keras.layers.Dense(1)])
model.compile("adam", "mae")
model.fit(data.training_set(), epochs=25)
