import tensorflow as tf

SPEC = {"x": tf.io.FixedLenFeature([50], tf.float32), "y": tf.io.FixedLenFeature([], tf.int64)}


def parse(batch):
    f = tf.io.parse_example(batch, SPEC)
    return f["x"], f["y"]


def source(name):
    files = tf.data.Dataset.list_files(f"/data/{name}/*.tfrecord")
    return files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)


history = source("2022").concatenate(source("2023")).shuffle(50_000).repeat()
recent = source("2024").shuffle(50_000).repeat()
ds = tf.data.Dataset.sample_from_datasets([history, recent], [0.3, 0.7])
ds = ds.batch(256, drop_remainder=True).map(parse, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([tf.keras.layers.Dense(128, "relu"), tf.keras.layers.Dense(20)])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(ds, steps_per_epoch=2000, epochs=10)
