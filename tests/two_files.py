"""A project of two files, one of which has a finding only because of the other one."""

#: Whether what it caches is random, only those know who call it.
INPUTS = """\
import tensorflow as tf


def cached(pattern, function):
    dataset = tf.data.TFRecordDataset(pattern)
    dataset = dataset.map(function, num_parallel_calls=tf.data.AUTOTUNE)
    return dataset.cache()
"""
TRAIN = """\
import tensorflow as tf
from inputs import cached


def augment(record):
    return tf.image.random_flip_left_right(tf.io.decode_jpeg(record))


def main(model: tf.keras.Model):
    model.fit(cached("train-0", augment).shuffle(50).batch(8).prefetch(tf.data.AUTOTUNE))
"""
