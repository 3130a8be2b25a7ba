import tensorflow as tf

SPEC = {"dense": tf.io.FixedLenFeature([13], tf.float32), "click": tf.io.FixedLenFeature([], tf.float32)}


def parse(record):
    f = tf.io.parse_single_example(record, SPEC)
    return f["dense"], f["click"]


def train_ds(pattern):
    files = tf.data.Dataset.list_files(pattern)
    ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(100_000)
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(1024).prefetch(tf.data.AUTOTUNE)


model = tf.keras.Sequential([
    tf.keras.layers.Dense(128, activation="relu"),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
model.compile("adam", "binary_crossentropy")
model.fit(train_ds("/data/criteo/part-*"), epochs=3)
