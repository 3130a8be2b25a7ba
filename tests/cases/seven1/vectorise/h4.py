import tensorflow as tf

SCHEMA = {
    "x": tf.io.FixedLenFeature([40], tf.float32),
    "y": tf.io.FixedLenFeature([], tf.int64),
}


def parse(serialized):
    ex = tf.io.parse_example(serialized, SCHEMA)
    return tf.math.log1p(ex["x"]), ex["y"]


def shuffled_batches(pattern, size):
    files = tf.data.Dataset.list_files(pattern)
    ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
    return ds.shuffle(100_000).batch(size, drop_remainder=True)


def training_data(pattern, size=2048):
    ds = shuffled_batches(pattern, size)
    return ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


model = tf.keras.Sequential([
    tf.keras.layers.Dense(256, activation="relu"),
    tf.keras.layers.Dense(12, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(training_data("/data/events-*.tfrecord"), epochs=5)
