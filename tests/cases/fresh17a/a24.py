import os

import tensorflow as tf

SHARDS = "/mnt/clicks/day-*/part-*.gz.tfrecord"
READERS = 4
WORKERS = 16
FEATURES = {
    "user": tf.io.FixedLenFeature([], tf.int64),
    "item": tf.io.FixedLenFeature([], tf.int64),
    "clicked": tf.io.FixedLenFeature([], tf.float32),
}


def open_shard(name):
    return tf.data.TFRecordDataset(name, compression_type="GZIP", buffer_size=8 << 20)


def split(batch):
    ex = tf.io.parse_example(batch, FEATURES)
    return (ex["user"], ex["item"]), ex["clicked"]


def clicks(pattern, batch_size):
    files = tf.data.Dataset.list_files(pattern, shuffle=True)
    ds = files.interleave(
        open_shard,
        cycle_length=READERS,
        block_length=32,
        num_parallel_calls=WORKERS,
        deterministic=False,
    )
    ds = ds.shuffle(200_000).batch(batch_size, drop_remainder=True)
    return ds.map(split, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


class TwoTower(tf.keras.Model):
    def __init__(self, users, items, width=48):
        super().__init__()
        self.u = tf.keras.layers.Embedding(users, width)
        self.i = tf.keras.layers.Embedding(items, width)

    def call(self, inputs):
        user, item = inputs
        return tf.reduce_sum(self.u(user) * self.i(item), axis=-1)


if __name__ == "__main__":
    model = TwoTower(2_000_000, 350_000)
    model.compile("adagrad", tf.keras.losses.BinaryCrossentropy(from_logits=True))
    model.fit(clicks(SHARDS, 4096), epochs=3)
    model.save_weights(os.path.join("/models", "towers.weights.h5"))
