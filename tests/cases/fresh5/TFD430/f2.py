import functools

import tensorflow as tf

SPEC = {"png": tf.io.FixedLenFeature([], tf.string), "label": tf.io.FixedLenFeature([], tf.int64)}


def parse(record, channels):
    f = tf.io.parse_single_example(record, SPEC)
    pixels = tf.io.decode_png(f["png"], channels=channels)
    return tf.cast(tf.ensure_shape(pixels, (28, 28, channels)), tf.float32), f["label"]


def normalize(images, labels):
    return tf.image.convert_image_dtype(images, dtype=tf.float32), labels


def inputs(pattern):
    files = tf.data.Dataset.list_files(pattern)
    ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(10_000)
    ds = ds.map(functools.partial(parse, channels=1), num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(128)
    ds = ds.map(normalize, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


model = tf.keras.Sequential([
    tf.keras.layers.Flatten(),
    tf.keras.layers.Dense(128, activation="relu"),
    tf.keras.layers.Dense(10),
])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(inputs("/data/digits/*.tfrecord"), epochs=10)
