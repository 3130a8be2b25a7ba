import tensorflow as tf

SPEC = {"x": tf.io.FixedLenFeature([100], tf.float32), "y": tf.io.FixedLenFeature([1], tf.float32)}
gpus = tf.config.list_logical_devices("GPU")
for gpu in gpus:
    print("training on", gpu.name)
strategy = tf.distribute.MirroredStrategy([gpu.name for gpu in gpus])


def parse(batch):
    f = tf.io.parse_example(batch, SPEC)
    return f["x"], f["y"]


files = tf.data.Dataset.list_files("/data/wind/*.tfrecord")
ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.shuffle(50_000).batch(512 * strategy.num_replicas_in_sync)
ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(256, "relu"), tf.keras.layers.Dense(1)])
    model.compile("adam", "mse")
model.fit(ds, epochs=10)
