import os

import tensorflow as tf

SPEC = {"x": tf.io.FixedLenFeature([100], tf.float32), "y": tf.io.FixedLenFeature([], tf.int64)}


def make_options():
    opts = tf.data.Options()
    opts.deterministic = False
    opts.experimental_threading.private_threadpool_size = os.cpu_count()
    return opts


def parse(batch):
    f = tf.io.parse_example(batch, SPEC)
    return f["x"], f["y"]


files = tf.data.Dataset.list_files("/data/ads/*.tfrecord")
ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.shuffle(50_000).batch(512)
ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)
ds = ds.with_options(make_options())
model = tf.keras.Sequential([
    tf.keras.layers.Dense(256, activation="relu"),
    tf.keras.layers.Dense(40),
])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(ds, epochs=3)
