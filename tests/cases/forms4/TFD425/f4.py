import functools

import tensorflow as tf


def parse(serialized):
    parsed = tf.io.parse_example(serialized, {
        "x": tf.io.FixedLenFeature([40], tf.float32),
        "y": tf.io.FixedLenFeature([1], tf.float32),
    })
    return parsed["x"], parsed["y"]


def shuffled(ds):
    return ds.shuffle(10_000)


def parsed_batches(ds):
    return ds.batch(512).map(parse, num_parallel_calls=tf.data.AUTOTUNE)


def grouped(ds, size):
    return ds.batch(size)


steps = [shuffled, parsed_batches, functools.partial(grouped, size=512)]
ds = tf.data.Dataset.list_files("clicks/*.tfrecord").interleave(
    tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE
)
for step in steps:
    ds = ds.apply(step)
ds = ds.prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.Input((40,)),
    tf.keras.layers.Dense(64, activation="relu"),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
model.compile("adam", "binary_crossentropy")
model.fit(ds, epochs=2)
