import tensorflow as tf

BATCH = 512
SPEC = {
    "user": tf.io.FixedLenFeature([], tf.int64),
    "item": tf.io.FixedLenFeature([], tf.int64),
    "rating": tf.io.FixedLenFeature([], tf.float32),
}


def read_file(path):
    return tf.data.TFRecordDataset(path, compression_type="GZIP").prefetch(512)


def to_xy(ex):
    rating = ex.pop("rating")
    return ex, rating


def ratings(pattern):
    files = tf.data.Dataset.list_files(pattern)
    return (
        files.interleave(read_file, cycle_length=8, num_parallel_calls=tf.data.AUTOTUNE)
        .shuffle(200_000)
        .batch(BATCH)
        .map(lambda r: to_xy(tf.io.parse_example(r, SPEC)), num_parallel_calls=tf.data.AUTOTUNE)
        .prefetch(tf.data.AUTOTUNE)
    )


def two_tower(users, items, dim=64):
    u = tf.keras.Input((), name="user", dtype=tf.int64)
    i = tf.keras.Input((), name="item", dtype=tf.int64)
    eu = tf.keras.layers.Embedding(users, dim)(u)
    ei = tf.keras.layers.Embedding(items, dim)(i)
    return tf.keras.Model({"user": u, "item": i}, tf.keras.layers.Dot(axes=-1)([eu, ei]))


model = two_tower(1_000_000, 200_000)
model.compile("adam", "mse")
model.fit(ratings("gs://recs/train/part-*.gz"), epochs=3)
