import os

import numpy as np
import tensorflow as tf

SPEC = {
    "signal": tf.io.FixedLenFeature([4096], tf.float32),
    "target": tf.io.FixedLenFeature([], tf.int64),
}


class ShardStore:
    def __init__(self, folder, shards=32):
        self.folder = folder
        self.shards = shards
        self.options = tf.io.TFRecordOptions(compression_type="GZIP")

    def name(self, i):
        return os.path.join(self.folder, f"signals-{i:05d}.tfrecord")

    def write(self, signals, targets):
        for i in range(self.shards):
            with tf.io.TFRecordWriter(self.name(i), self.options) as writer:
                for s, t in zip(signals[i::self.shards], targets[i::self.shards]):
                    feature = {
                        "signal": tf.train.Feature(
                            float_list=tf.train.FloatList(value=s)),
                        "target": tf.train.Feature(
                            int64_list=tf.train.Int64List(value=[int(t)])),
                    }
                    example = tf.train.Example(
                        features=tf.train.Features(feature=feature))
                    writer.write(example.SerializeToString())

    def read(self, batch_size):
        files = [self.name(i) for i in range(self.shards)]
        ds = tf.data.TFRecordDataset(files, num_parallel_reads=tf.data.AUTOTUNE)
        ds = ds.shuffle(16_384).batch(batch_size)
        ds = ds.map(lambda r: tf.io.parse_example(r, SPEC),
                    num_parallel_calls=tf.data.AUTOTUNE)
        return ds.map(lambda e: (e["signal"], e["target"]),
                      num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


if __name__ == "__main__":
    store = ShardStore("/scratch/signals")
    store.write(np.load("/data/signals.npy", mmap_mode="r"), np.load("/data/targets.npy"))
    model = tf.keras.Sequential([tf.keras.layers.Dense(128, activation="relu"),
                                 tf.keras.layers.Dense(5, activation="softmax")])
    model.compile("adam", "sparse_categorical_crossentropy")
    model.fit(store.read(256), epochs=5)
