"""Click logs held in object storage; the reader is a hook of the base class."""
import abc

import tensorflow as tf


class LogDataset(abc.ABC):
    batch_size = 4096

    @property
    @abc.abstractmethod
    def shards(self):
        ...

    @abc.abstractmethod
    def read(self, shards):
        ...

    def parse(self, serialized):
        spec = {f"c{i}": tf.io.FixedLenFeature([], tf.int64) for i in range(26)}
        spec["dense"] = tf.io.FixedLenFeature([13], tf.float32)
        spec["click"] = tf.io.FixedLenFeature([], tf.float32)
        features = tf.io.parse_example(serialized, spec)
        return features, features.pop("click")

    def training(self):
        ds = self.read(self.shards.shuffle(2000))
        ds = ds.shuffle(500_000).batch(self.batch_size, drop_remainder=True)
        ds = ds.map(self.parse, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.prefetch(tf.data.AUTOTUNE)


class CloudLogs(LogDataset):
    def __init__(self, bucket, days):
        self.bucket = bucket
        self.days = days

    @property
    def shards(self):
        names = [f"{self.bucket}/day={d}/part-{k:05d}.tfrecord"
                 for d in range(self.days) for k in range(64)]
        return tf.data.Dataset.from_tensor_slices(names)

    def read(self, shards):
        return shards.interleave(
            lambda name: tf.data.TFRecordDataset(name, buffer_size=8 << 20),
            cycle_length=32,
            block_length=16,
        )


def build_model():
    inputs = {f"c{i}": tf.keras.Input([], dtype=tf.int64, name=f"c{i}") for i in range(26)}
    inputs["dense"] = tf.keras.Input([13], name="dense")
    parts = [tf.keras.layers.Embedding(100_000, 16)(inputs[f"c{i}"]) for i in range(26)]
    x = tf.keras.layers.concatenate(parts + [inputs["dense"]])
    x = tf.keras.layers.Dense(256, activation="relu")(x)
    return tf.keras.Model(inputs, tf.keras.layers.Dense(1, activation="sigmoid")(x))


if __name__ == "__main__":
    model = build_model()
    model.compile("adam", "binary_crossentropy", metrics=[tf.keras.metrics.AUC()])
    model.fit(CloudLogs("gs://ads-logs", days=23).training(), epochs=1)
