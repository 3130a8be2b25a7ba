import glob

import keras
import tensorflow as tf


class Unpack:
    """Record of the binary version of CIFAR-100: coarse, fine, 3072 bytes."""

    length = 2 + 3 * 32 * 32

    def __init__(self, mean=(129.3, 124.1, 112.4), std=(68.2, 65.4, 70.4)):
        self.mean = tf.constant(mean)
        self.std = tf.constant(std)

    def __call__(self, record):
        flat = tf.io.decode_raw(record, tf.uint8)
        flat = tf.ensure_shape(flat, (self.length,))
        image = tf.transpose(tf.reshape(flat[2:], (3, 32, 32)), (1, 2, 0))
        return (tf.cast(image, tf.float32) - self.mean) / self.std, tf.cast(flat[1], tf.int32)


def binaries(pattern, batch):
    files = glob.glob(pattern)
    ds = tf.data.FixedLengthRecordDataset(files, Unpack.length, num_parallel_reads=len(files))
    ds = ds.cache()
    ds = ds.shuffle(50_000, reshuffle_each_iteration=True)
    ds = ds.map(Unpack(), num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(batch, drop_remainder=True)
    return ds.prefetch(tf.data.AUTOTUNE)


def wide(depth, k):
    inputs = x = keras.Input((32, 32, 3))
    x = keras.layers.RandomTranslation(0.125, 0.125)(keras.layers.RandomFlip("horizontal")(x))
    for width in (16 * k, 32 * k, 64 * k):
        for n in range(depth):
            y = keras.layers.Conv2D(width, 3, 2 if n == 0 else 1, "same", activation="relu")(x)
            x = keras.layers.BatchNormalization()(y) if n == 0 else x + keras.layers.BatchNormalization()(y)
    return keras.Model(inputs, keras.layers.Dense(100)(keras.layers.GlobalAveragePooling2D()(x)))


model = wide(4, 8)
model.compile(keras.optimizers.SGD(keras.optimizers.schedules.CosineDecay(0.1, 78_000), momentum=0.9, nesterov=True),
              keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
model.fit(binaries("/data/cifar-100-binary/train*.bin", 128), epochs=200)
