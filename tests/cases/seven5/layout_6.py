"""Brain tumours: a 3-D U-Net whose convolutions are partials."""
import functools

import tensorflow as tf
import keras
from keras import layers

keras.mixed_precision.set_global_policy("mixed_float16")
PATCH = (96, 96, 96)

Conv = functools.partial(
    layers.Conv3D, kernel_size=3, padding="same", activation="relu", data_format="channels_first")
Down = functools.partial(layers.MaxPooling3D, data_format="channels_first")
Up = functools.partial(layers.UpSampling3D, data_format="channels_first")


def unet(modalities=4, classes=4):
    inputs = keras.Input((modalities, *PATCH))
    skips, x = [], inputs
    for width in (32, 64, 128):
        x = Conv(width)(Conv(width)(x))
        skips.append(x)
        x = Down()(x)
    x = Conv(256)(x)
    for width, skip in zip((128, 64, 32), reversed(skips)):
        x = layers.Concatenate(axis=1)([Up()(x), skip])
        x = Conv(width)(Conv(width)(x))
    x = Conv(classes, kernel_size=1, activation=None)(x)
    return keras.Model(inputs, layers.Activation("linear", dtype="float32")(x))


def parse(record):
    ex = tf.io.parse_single_example(record, {
        "scan": tf.io.FixedLenFeature([], tf.string),
        "mask": tf.io.FixedLenFeature([], tf.string),
    })
    scan = tf.reshape(tf.io.decode_raw(ex["scan"], tf.float16), (128, 128, 128, 4))
    mask = tf.reshape(tf.io.decode_raw(ex["mask"], tf.uint8), (128, 128, 128, 1))
    both = tf.concat([tf.cast(scan, tf.float32), tf.cast(mask, tf.float32)], -1)
    both = tf.image.random_crop(both, (*PATCH, 5))
    both = tf.transpose(both, (3, 0, 1, 2))
    return both[:4], tf.cast(both[4], tf.int32)


def voxel_loss(y_true, logits):
    logits = tf.transpose(logits, (0, 2, 3, 4, 1))
    return tf.nn.sparse_softmax_cross_entropy_with_logits(labels=tf.cast(y_true, tf.int32), logits=logits)


if __name__ == "__main__":
    files = tf.data.Dataset.list_files("/data/brats/train-*.tfrecord")
    ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(64).repeat().map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(2, drop_remainder=True).prefetch(tf.data.AUTOTUNE)
    model = unet()
    model.compile("adam", voxel_loss)
    model.fit(ds, steps_per_epoch=1000, epochs=100)
