import functools

import numpy as np
import tensorflow.compat.v2 as tf

HEADER = 16
LIDAR = np.dtype([("x", "<f4"), ("y", "<f4"), ("z", "<f4"), ("i", "<f4")])


def points_from(blob, max_points):
    scan = np.frombuffer(blob.numpy(), dtype=LIDAR, offset=HEADER)
    cloud = np.stack([scan[k] for k in ("x", "y", "z", "i")], axis=-1)
    cloud = cloud[:max_points]
    return tf.pad(cloud, [[0, max_points - len(cloud)], [0, 0]])


class ScanSource:
    max_points = 32_768

    def __init__(self, pattern):
        self.pattern = pattern

    def spec(self):
        return {
            "scan": tf.io.FixedLenFeature([], tf.string),
            "box": tf.io.FixedLenFeature([7], tf.float32),
        }

    def to_example(self, record, unpack):
        row = tf.io.parse_single_example(record, self.spec())
        return unpack(row["scan"]), row["box"]

    def batches(self, batch_size):
        unpack = functools.partial(points_from, max_points=self.max_points)
        files = tf.data.Dataset.list_files(self.pattern)
        ds = files.interleave(
            tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.shuffle(1_000)
        ds = ds.map(
            lambda r: self.to_example(r, unpack), num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


def main():
    model = tf.keras.Sequential([
        tf.keras.layers.Dense(64, activation="relu"),
        tf.keras.layers.Dense(256, activation="relu"),
        tf.keras.layers.GlobalMaxPooling1D(),
        tf.keras.layers.Dense(7),
    ])
    model.compile("adam", "huber")
    model.fit(ScanSource("/data/drive/*.tfrecord").batches(8), epochs=12)


if __name__ == "__main__":
    main()
