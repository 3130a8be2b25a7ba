import tensorflow as tf

SPEC = {"x": tf.io.FixedLenFeature([100], tf.float32), "y": tf.io.FixedLenFeature([], tf.int64)}


def parse(batch):
    f = tf.io.parse_example(batch, SPEC)
    return f["x"], f["y"]


filenames = tf.io.gfile.glob("gs://bucket/ads/part-*.tfrecord")
train = tf.data.TFRecordDataset(filenames, "GZIP", None, tf.data.AUTOTUNE).shuffle(50_000)
val = tf.data.TFRecordDataset("gs://bucket/ads/val.tfrecord")
train, val = (
    ds.batch(512).map(parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)
    for ds in (train, val)
)
model = tf.keras.Sequential([
    tf.keras.layers.Dense(256, activation="relu"),
    tf.keras.layers.Dense(40),
])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(train, validation_data=val, epochs=3)
