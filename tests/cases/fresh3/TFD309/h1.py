import os

import tensorflow as tf

WORLD = int(os.environ.get("WORLD_SIZE", "4"))
RANK = int(os.environ.get("RANK", "0"))


def parse(records):
    d = tf.io.parse_example(records, {
        "x": tf.io.FixedLenFeature([48], tf.float32), "y": tf.io.FixedLenFeature([], tf.float32)})
    return d["x"], d["y"]


files = sorted(tf.io.gfile.glob("/mnt/shared/train/*.tfrecord"))[RANK::WORLD]
files = tf.data.Dataset.from_tensor_slices(files).shuffle(len(files))
records = files.interleave(
    tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
ds = records.shuffle(20000).batch(256)
ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([tf.keras.layers.Dense(64, activation="relu"), tf.keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(ds, epochs=4)
