import time

import tensorflow as tf


def load(number):
    time.sleep(0.004)
    return number


def read(number):
    return tf.numpy_function(load, [number], tf.int64)


data = tf.data.Dataset.range(40).map(read).cache()


@tf.function
def train(data):
    total = tf.constant(0, tf.int64)
    for number in data:
        total += number
    return total


train(data.take(5))
tf.profiler.experimental.start("logs")
train(data)
tf.profiler.experimental.stop()
