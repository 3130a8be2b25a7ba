from functools import partial, reduce

import tensorflow as tf

SPEC = {
    "user_id": tf.io.FixedLenFeature([], tf.int64),
    "item_id": tf.io.FixedLenFeature([], tf.int64),
    "context": tf.io.FixedLenFeature([32], tf.float32),
    "rating": tf.io.FixedLenFeature([], tf.float32),
}


def parse(record):
    ex = tf.io.parse_single_example(record, SPEC)
    rating = ex.pop("rating")
    return ex, rating


def shuffled(ds, size):
    return ds.shuffle(size)


def parsed(ds):
    return ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)


def batched(ds, size):
    return ds.batch(size, drop_remainder=True)


STAGES = [
    partial(shuffled, size=100_000),
    parsed,
    partial(batched, size=8192),
    lambda ds: ds.prefetch(tf.data.AUTOTUNE),
]


def ratings(pattern):
    files = tf.data.Dataset.list_files(pattern, shuffle=True)
    records = files.interleave(
        tf.data.TFRecordDataset, cycle_length=16,
        num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
    return reduce(lambda ds, stage: stage(ds), STAGES, records)


def two_tower(users=1_000_000, items=200_000, dim=64):
    u = tf.keras.Input((), dtype=tf.int64, name="user_id")
    i = tf.keras.Input((), dtype=tf.int64, name="item_id")
    c = tf.keras.Input((32,), name="context")
    ue = tf.keras.layers.Embedding(users, dim)(u)
    ie = tf.keras.layers.Embedding(items, dim)(i)
    h = tf.keras.layers.Concatenate()([ue, ie, c])
    h = tf.keras.layers.Dense(128, activation="relu")(h)
    return tf.keras.Model({"user_id": u, "item_id": i, "context": c}, tf.keras.layers.Dense(1)(h))


if __name__ == "__main__":
    model = two_tower()
    model.compile("adagrad", "mse")
    model.fit(ratings("gs://ratings-prod/train/part-*.tfrecord"), epochs=5)
