import tensorflow as tf

AUTO = tf.data.AUTOTUNE


def decode(record):
    parsed = tf.io.parse_single_example(record, {
        "rgb": tf.io.FixedLenFeature([], tf.string),
        "depth": tf.io.FixedLenFeature([], tf.string),
        "steer": tf.io.FixedLenFeature([], tf.float32),
    })
    rgb = tf.io.decode_png(parsed["rgb"], channels=3)
    depth = tf.io.decode_png(parsed["depth"], channels=1, dtype=tf.uint16)
    return {
        "rgb": tf.image.resize(rgb, (120, 160)) / 255.0,
        "depth": tf.image.resize(tf.cast(depth, tf.float32), (120, 160)),
        "steer": parsed["steer"],
    }


def driving(pattern, batch_size):
    ds = tf.data.Dataset.list_files(pattern)
    ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=AUTO)
    ds = ds.shuffle(8192)
    ds = ds.map(decode, num_parallel_calls=AUTO)
    ds = ds.map(lambda e: (e["rgb"], e["steer"]), num_parallel_calls=AUTO)
    return ds.batch(batch_size).prefetch(AUTO)


model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(24, 5, strides=2, activation="relu"),
    tf.keras.layers.Flatten(),
    tf.keras.layers.Dense(1),
])
model.compile("adam", "mse")
model.fit(driving("/data/drive/*.tfrecord", 64), epochs=15)
