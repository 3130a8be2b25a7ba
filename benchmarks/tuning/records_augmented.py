"""Pictures out of records, each time with other random changes, in a loop over epochs."""

from __future__ import annotations

import tensorflow as tf
from data import picture_records

FEATURES = {"image": tf.io.FixedLenFeature([], tf.string), "label": tf.io.FixedLenFeature([], tf.int64)}


def decode(record: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    example = tf.io.parse_single_example(record, FEATURES)
    return tf.image.resize(tf.io.decode_jpeg(example["image"], channels=3), [64, 64]), example["label"]


def augment(image: tf.Tensor, label: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    image = tf.image.random_flip_left_right(image)
    return tf.image.random_brightness(image, 0.2), label


dataset = tf.data.TFRecordDataset(picture_records(2, 400))
dataset = dataset.map(decode)
dataset = dataset.map(augment)
dataset = dataset.batch(32)

if __name__ == "__main__":
    for _ in range(5):
        for images, _ in dataset:
            tf.reduce_mean(images)
