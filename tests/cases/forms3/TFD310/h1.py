import os

import tensorflow as tf

WORKERS = int(os.environ["SLURM_NTASKS"])
TASK = int(os.environ["SLURM_PROCID"])


def parse(batch):
    d = tf.io.parse_example(batch, {
        "x": tf.io.FixedLenFeature([32], tf.float32),
        "y": tf.io.FixedLenFeature([], tf.float32),
    })
    return d["x"], d["y"]


ds = tf.data.Dataset.list_files("/scratch/train/*.tfrecord", shuffle=False)
ds = ds.shard(WORKERS, TASK)
ds = ds.shuffle(1000)
ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
ds = ds.shuffle(20000).batch(512)
ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([tf.keras.layers.Dense(64, activation="relu"), tf.keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(ds, epochs=3)
