"""Folding a list of stages into one input pipeline."""
import functools
from typing import Callable, Sequence

import tensorflow as tf

Stage = Callable[[tf.data.Dataset], tf.data.Dataset]
AUTOTUNE = tf.data.AUTOTUNE
FEATURES = {
    "image/encoded": tf.io.FixedLenFeature([], tf.string),
    "image/class/label": tf.io.FixedLenFeature([], tf.int64),
}


def records(ds):
    return ds.interleave(tf.data.TFRecordDataset, cycle_length=32,
                         num_parallel_calls=AUTOTUNE, deterministic=False)


def decode(ds):
    def one(serialized):
        ex = tf.io.parse_single_example(serialized, FEATURES)
        image = tf.io.decode_jpeg(ex["image/encoded"], channels=3)
        image = tf.image.resize(image, [256, 256])
        image = tf.image.random_crop(image, [224, 224, 3])
        return image / 127.5 - 1.0, tf.one_hot(ex["image/class/label"] - 1, 1000)
    return ds.map(one, num_parallel_calls=AUTOTUNE)


def mixup(ds):
    def mix(images, labels):
        lam = tf.random.uniform([], 0.6, 1.0)
        return (lam * images + (1 - lam) * tf.reverse(images, [0]),
                lam * labels + (1 - lam) * tf.reverse(labels, [0]))
    return ds.map(mix, num_parallel_calls=AUTOTUNE)


TRAIN: Sequence[Stage] = (
    records,
    lambda ds: ds.shuffle(16_384),
    decode,
    lambda ds: ds.prefetch(AUTOTUNE),
    lambda ds: ds.batch(256, drop_remainder=True),
    mixup,
)


def compose(stages, start):
    return functools.reduce(lambda ds, stage: stage(ds), stages, start)


def run():
    shards = tf.data.Dataset.list_files("gs://vision/imagenet/train-*", shuffle=True)
    train = compose(TRAIN, shards)
    model = tf.keras.applications.ResNet50(weights=None)
    model.compile(tf.keras.optimizers.SGD(0.1, momentum=0.9), "categorical_crossentropy")
    model.fit(train, epochs=90)


if __name__ == "__main__":
    run()
