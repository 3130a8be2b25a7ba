import tensorflow as tf

FEATURES = {
    "signal": tf.io.FixedLenFeature([256], tf.float32),
    "kind": tf.io.FixedLenFeature([], tf.int64),
}


def records(path):
    return tf.data.TFRecordDataset(path).repeat()


def parse(record):
    example = tf.io.parse_single_example(record, FEATURES)
    return example["signal"], example["kind"]


def dataset(pattern, batch_size=32):
    files = tf.data.Dataset.list_files(pattern)
    ds = files.flat_map(records)
    ds = ds.shuffle(2000)
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


model = tf.keras.Sequential([
    tf.keras.Input((256,)),
    tf.keras.layers.Dense(64, activation="relu"),
    tf.keras.layers.Dense(4, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(dataset("signals/*.tfrecord"), epochs=20, steps_per_epoch=500)
