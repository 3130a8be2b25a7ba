import tensorflow as tf

tf.keras.mixed_precision.set_global_policy("mixed_float16")
SPEC = {"x": tf.io.FixedLenFeature([128], tf.float32), "y": tf.io.FixedLenFeature([], tf.int64)}


def round_up(n, multiple=8):
    return -(-n // multiple) * multiple


def parse(batch):
    f = tf.io.parse_example(batch, SPEC)
    return f["x"], f["y"]


files = tf.data.Dataset.list_files("/data/ads/*.tfrecord")
ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.shuffle(50_000).batch(512)
ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)
model = tf.keras.Sequential([
    tf.keras.layers.Dense(round_up(1001), activation="relu"),
    tf.keras.layers.Dense(round_up(61)),
    tf.keras.layers.Activation("softmax", dtype="float32"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(ds, epochs=3)
