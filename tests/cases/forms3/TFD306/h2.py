import tensorflow as tf

SPEC = {
    "features": tf.io.FixedLenFeature([40], tf.float32),
    "click": tf.io.FixedLenFeature([], tf.float32),
}


def records(pattern):
    files = tf.data.Dataset.list_files(pattern)
    return files.interleave(
        tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)


def training(pattern, size, buffer):
    ds = records(pattern).shuffle(buffer)
    ds = ds.batch(size).map(lambda r: tf.io.parse_example(r, SPEC), num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.map(lambda d: (d["features"], d["click"]), num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


model = tf.keras.Sequential([tf.keras.layers.Dense(32, activation="relu"), tf.keras.layers.Dense(1, activation="sigmoid")])
model.compile("adam", "binary_crossentropy")
model.fit(training("logs/*.tfrecord", 64, 20000), epochs=10)
