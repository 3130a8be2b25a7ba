"""Handwriting recognition: crops of lines with their transcriptions' writers."""
import functools

import tensorflow as tf
import keras


def pmap(ds, fn, calls=tf.data.AUTOTUNE):
    return ds.map(fn, calls)


def stage(fn):
    @functools.wraps(fn)
    def transform(ds):
        return pmap(ds, fn)
    return transform


@stage
def decode(record):
    ex = tf.io.parse_single_example(record, {
        "crop": tf.io.FixedLenFeature([], tf.string),
        "writer": tf.io.FixedLenFeature([], tf.int64),
    })
    crop = tf.io.decode_png(ex["crop"], channels=1)
    return tf.image.resize_with_pad(crop, 64, 512), ex["writer"]


@stage
def jitter(crop, writer):
    crop = tf.image.random_contrast(crop, 0.7, 1.3)
    return tf.image.random_brightness(crop, 20.0), writer


def shards(pattern):
    files = tf.data.Dataset.list_files(pattern)
    return files.interleave(tf.data.TFRecordDataset, 8, 4, tf.data.AUTOTUNE)


def main():
    train = shards("/data/iam/train-*.tfrecord").shuffle(8192).apply(decode).apply(jitter)
    valid = shards("/data/iam/valid-*.tfrecord").apply(decode)
    train, valid = (ds.batch(64).prefetch(tf.data.AUTOTUNE) for ds in (train, valid))

    model = keras.Sequential([
        keras.Input((64, 512, 1)),
        keras.layers.Conv2D(32, 5, strides=2, activation="relu"),
        keras.layers.Conv2D(64, 5, strides=2, activation="relu"),
        keras.layers.GlobalAveragePooling2D(),
        keras.layers.Dense(657),
    ])
    model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True), ["accuracy"])
    model.fit(train, validation_data=valid, epochs=30)


if __name__ == "__main__":
    main()
