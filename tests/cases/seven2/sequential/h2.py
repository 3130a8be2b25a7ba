import tensorflow as tf

SPEC = {"x": tf.io.FixedLenFeature([32], tf.float32), "y": tf.io.FixedLenFeature([], tf.float32)}


def open_shard(name):
    return tf.data.TFRecordDataset(name, buffer_size=4 << 20)


def parse(batch):
    ex = tf.io.parse_example(batch, SPEC)
    return ex["x"], ex["y"]


names = tf.data.Dataset.from_tensor_slices(tf.io.gfile.glob("gs://meters/part-*"))
ds = names.shuffle(1000).interleave(
    open_shard, cycle_length=16, block_length=8, num_parallel_calls=16, deterministic=False)
ds = ds.shuffle(50_000).batch(1024)
ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([tf.keras.layers.Dense(64, activation="relu"), tf.keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(ds, epochs=10)
