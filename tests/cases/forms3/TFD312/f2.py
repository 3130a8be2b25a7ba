import tensorflow as tf

SPEC = {"user": tf.io.FixedLenFeature([], tf.int64), "item": tf.io.FixedLenFeature([], tf.int64),
        "rating": tf.io.FixedLenFeature([], tf.float32)}


def parse(batch):
    d = tf.io.parse_example(batch, SPEC)
    return (d["user"], d["item"]), d["rating"]


def ratings(pattern, batch_size):
    files = tf.data.Dataset.list_files(pattern)
    ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
    ds = ds.shuffle(100000).batch(4096)
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.flat_map(lambda x, y: tf.data.Dataset.from_tensor_slices((x, y)))
    ds = ds.batch(batch_size)
    return ds.prefetch(tf.data.AUTOTUNE)


user = tf.keras.Input((1,), dtype="int64")
item = tf.keras.Input((1,), dtype="int64")
u = tf.keras.layers.Flatten()(tf.keras.layers.Embedding(10000, 32)(user))
v = tf.keras.layers.Flatten()(tf.keras.layers.Embedding(5000, 32)(item))
model = tf.keras.Model([user, item], tf.keras.layers.Dot(axes=1)([u, v]))
model.compile("adam", "mse")
model.fit(ratings("ratings-*.rec", 256), epochs=3)
