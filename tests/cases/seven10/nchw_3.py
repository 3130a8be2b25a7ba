"""CPU-only nightly retraining of a digit reader (600k meter crops)."""
import functools

import tensorflow as tf
from tensorflow.keras import layers

tf.config.set_visible_devices([], "GPU")

FORMAT = dict(data_format="channels_first")
Conv = functools.partial(layers.Conv2D, kernel_size=3, padding="same", **FORMAT)
Pool = functools.partial(layers.MaxPooling2D, pool_size=2, **FORMAT)
GlobalPool = functools.partial(layers.GlobalAveragePooling2D, **FORMAT)


def conv_bn(x, filters):
    x = Conv(filters, use_bias=False)(x)
    return layers.ReLU()(layers.BatchNormalization(axis=1)(x))


def reader(digits=10):
    inputs = tf.keras.Input((1, 48, 32))
    x = inputs
    for filters in (16, 32, 64):
        x = Pool()(conv_bn(x, filters))
    return tf.keras.Model(inputs, layers.Dense(digits)(GlobalPool()(x)))


def parse(record):
    row = tf.io.parse_single_example(record, {
        "png": tf.io.FixedLenFeature([], tf.string),
        "digit": tf.io.FixedLenFeature([], tf.int64)})
    crop = tf.image.resize(tf.io.decode_png(row["png"], channels=1), (48, 32)) / 255.0
    return tf.reshape(crop, (1, 48, 32)), row["digit"]


def crops(pattern, batch_size):
    ds = tf.data.TFRecordDataset(tf.io.gfile.glob(pattern), num_parallel_reads=tf.data.AUTOTUNE)
    ds = ds.shuffle(50_000).map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


if __name__ == "__main__":
    model = reader()
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
                  metrics=["accuracy"])
    model.fit(crops("/data/meters/train-*.tfrecord", 256), epochs=6)
    model.save("/models/meters.keras")
