import tensorflow as tf

SPEC = {"x": tf.io.FixedLenFeature([128], tf.float32), "y": tf.io.FixedLenFeature([], tf.int64)}


def parse(batch):
    d = tf.io.parse_example(batch, SPEC)
    return d["x"], d["y"]


ds = tf.data.Dataset.list_files("gs://data/train-*.tfrecord")
ds = ds.interleave(
    tf.data.TFRecordDataset,
    cycle_length=16,
    num_parallel_calls=tf.data.AUTOTUNE,
)
ds = ds.shuffle(50000)
ds = ds.batch(512)
ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.prefetch(tf.data.AUTOTUNE)
model = tf.keras.Sequential([tf.keras.layers.Dense(64, activation="relu"), tf.keras.layers.Dense(10, activation="softmax")])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(ds, epochs=5)
