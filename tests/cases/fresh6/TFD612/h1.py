import tensorflow as tf

SPEC = {"x": tf.io.FixedLenFeature([100], tf.float32), "y": tf.io.FixedLenFeature([1], tf.float32)}


def parse(batch):
    f = tf.io.parse_example(batch, SPEC)
    return f["x"], f["y"]


files = tf.data.Dataset.list_files("/data/wind/*.tfrecord")
ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.shuffle(50_000).batch(512)
ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)
model = tf.keras.Sequential([tf.keras.layers.Dense(256, "relu"), tf.keras.layers.Dense(1)])


@tf.function
def check(x, y):
    tf.debugging.assert_all_finite(model(x) - y, "output")


tf.config.run_functions_eagerly(True)
for x, y in ds.take(2):
    check(x, y)
tf.config.run_functions_eagerly(False)

model.compile("adam", "mse", run_eagerly=False)
model.fit(ds, epochs=10)
