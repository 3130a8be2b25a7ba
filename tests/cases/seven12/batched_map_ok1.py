from functools import partial, reduce

import tensorflow as tf

SPEC = {
    "user_id": tf.io.FixedLenFeature([], tf.int64),
    "context": tf.io.FixedLenFeature([32], tf.float32),
    "rating": tf.io.FixedLenFeature([], tf.float32),
}


def parse(records):
    ex = tf.io.parse_example(records, SPEC)
    rating = ex.pop("rating")
    ex["context"] = tf.clip_by_value(ex["context"], -5.0, 5.0)
    return ex, rating


def shuffled(ds, size):
    return ds.shuffle(size)


def parsed(ds):
    return ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)


def batched(ds, size):
    return ds.batch(size, drop_remainder=True)


STAGES = [
    partial(shuffled, size=100_000),
    partial(batched, size=8192),
    parsed,
    lambda ds: ds.prefetch(tf.data.AUTOTUNE),
]


def ratings(pattern):
    files = tf.data.Dataset.list_files(pattern, shuffle=True)
    records = files.interleave(
        tf.data.TFRecordDataset, cycle_length=16,
        num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
    return reduce(lambda ds, stage: stage(ds), STAGES, records)


if __name__ == "__main__":
    u = tf.keras.Input((), dtype=tf.int64, name="user_id")
    c = tf.keras.Input((32,), name="context")
    h = tf.keras.layers.Concatenate()([tf.keras.layers.Embedding(1_000_000, 64)(u), c])
    h = tf.keras.layers.Dense(128, activation="relu")(h)
    model = tf.keras.Model({"user_id": u, "context": c}, tf.keras.layers.Dense(1)(h))
    model.compile("adagrad", "mse")
    model.fit(ratings("gs://ratings-prod/train/part-*.tfrecord"), epochs=5)
