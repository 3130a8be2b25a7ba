import functools

import tensorflow as tf

AUTO = tf.data.AUTOTUNE
PARALLEL = {"num_parallel_calls": AUTO, "deterministic": False}
pmap = functools.partial(tf.data.Dataset.map, **PARALLEL)
pinterleave = functools.partial(tf.data.Dataset.interleave, cycle_length=12, **PARALLEL)


def parse(record):
    ex = tf.io.parse_single_example(record, {
        "image": tf.io.FixedLenFeature([], tf.string),
        "mask": tf.io.FixedLenFeature([], tf.string),
    })
    return tf.io.decode_png(ex["image"], channels=3), tf.io.decode_png(ex["mask"], channels=1)


def crop(image, mask):
    both = tf.concat([image, mask], axis=-1)
    both = tf.image.random_crop(both, (256, 256, 4))
    return both[..., :3], both[..., 3:]


shards = tf.data.Dataset.list_files("/data/buildings/train-*.tfrecord")
ds = pinterleave(shards, tf.data.TFRecordDataset)
ds = ds.shuffle(1000)
ds = pmap(ds, parse)
ds = pmap(ds, crop)
ds = ds.batch(16, drop_remainder=True).prefetch(AUTO)

inputs = tf.keras.Input((256, 256, 3))
x = tf.keras.layers.Rescaling(1 / 255.0)(inputs)
for filters in (32, 64, 64, 32):
    x = tf.keras.layers.Conv2D(filters, 3, padding="same", activation="relu")(x)
model = tf.keras.Model(inputs, tf.keras.layers.Conv2D(2, 1)(x))
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(ds, epochs=40)
