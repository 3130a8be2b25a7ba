import os

import tensorflow as tf

SPEC = {"x": tf.io.FixedLenFeature([64], tf.float32), "y": tf.io.FixedLenFeature([], tf.int64)}
NUM_WORKERS = int(os.environ["WORLD_SIZE"])
RANK = int(os.environ["RANK"])

files = sorted(tf.io.gfile.glob("gs://bucket/train/part-*.tfrecord"))
ds = tf.data.TFRecordDataset(files)
ds = ds.shard(NUM_WORKERS, RANK)
ds = ds.shuffle(10000)
ds = ds.batch(256)
ds = ds.map(lambda r: tf.io.parse_example(r, SPEC), num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.map(lambda d: (d["x"], d["y"]), num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([tf.keras.layers.Dense(32, activation="relu"), tf.keras.layers.Dense(10)])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(ds, epochs=5)
