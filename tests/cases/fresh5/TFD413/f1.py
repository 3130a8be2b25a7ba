import tensorflow as tf

SPEC = {"x": tf.io.FixedLenFeature([50], tf.float32), "y": tf.io.FixedLenFeature([], tf.int64)}


def parse(batch):
    f = tf.io.parse_example(batch, SPEC)
    return f["x"], f["y"]


def source(name):
    files = tf.data.Dataset.list_files(f"/data/{name}/*.tfrecord")
    ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.shuffle(20_000).repeat()


old = source("2023")
new = source("2024")
ds = old.concatenate(new)
ds = ds.batch(256, drop_remainder=True).map(parse, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([tf.keras.layers.Dense(128, "relu"), tf.keras.layers.Dense(20)])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(ds, steps_per_epoch=2000, epochs=10)
