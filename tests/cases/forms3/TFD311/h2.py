import tensorflow as tf

FILES = [f"train-{i:05d}-of-00008.tfrecord" for i in range(8)]
SPEC = {"x": tf.io.FixedLenFeature([64], tf.float32), "y": tf.io.FixedLenFeature([], tf.int64)}


def parse(batch):
    d = tf.io.parse_example(batch, SPEC)
    return d["x"], d["y"]


ds = tf.data.Dataset.from_tensor_slices(FILES)
ds = ds.shuffle(8)
ds = ds.interleave(
    tf.data.TFRecordDataset, cycle_length=8, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
ds = ds.shuffle(50000)
ds = ds.batch(128)
ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.prefetch(tf.data.AUTOTUNE)
model = tf.keras.Sequential([tf.keras.layers.Dense(64, activation="relu"), tf.keras.layers.Dense(10, activation="softmax")])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(ds, epochs=5)
