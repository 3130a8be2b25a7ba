import tensorflow as tf

SPEC = {"x": tf.io.FixedLenFeature([100], tf.float32), "y": tf.io.FixedLenFeature([], tf.int64)}
AUTO = tf.data.AUTOTUNE


def parse(batch):
    f = tf.io.parse_example(batch, SPEC)
    return f["x"], f["y"]


def read(files, calls=AUTO):
    return files.interleave(tf.data.TFRecordDataset, cycle_length=8, block_length=16, num_parallel_calls=calls)


ds = read(tf.data.Dataset.list_files("gs://bucket/ads/*.tfrecord"))
ds = ds.shuffle(50_000).batch(512).map(parse, num_parallel_calls=AUTO).prefetch(AUTO)
model = tf.keras.Sequential([
    tf.keras.layers.Dense(256, activation="relu"),
    tf.keras.layers.Dense(40),
])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(ds, epochs=3)
