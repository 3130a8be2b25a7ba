import tensorflow as tf

SPEC = {
    "user": tf.io.FixedLenFeature([32], tf.float32),
    "item": tf.io.FixedLenFeature([32], tf.float32),
    "click": tf.io.FixedLenFeature([], tf.float32),
}


def parse(batch):
    f = tf.io.parse_example(batch, SPEC)
    return {"user": f["user"], "item": f["item"]}, f["click"]


def join(features, click):
    return tf.concat([features["user"], features["item"]], -1), click


files = tf.data.Dataset.list_files("/data/clicks/*.tfrecord")
ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.shuffle(100_000).batch(1024)
ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.map(lambda *parts: join(*parts), num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.prefetch(tf.data.AUTOTUNE)
model = tf.keras.Sequential([
    tf.keras.layers.Dense(64, activation="relu"),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
model.compile("adam", "binary_crossentropy")
model.fit(ds, epochs=3)
