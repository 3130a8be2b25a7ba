import keras
import tensorflow as tf


class Preprocessor:
    def __init__(self, vocabulary):
        self.lookup = keras.layers.StringLookup(vocabulary=vocabulary)
        self.rescale = keras.layers.Rescaling(1.0 / 127.5, offset=-1.0)

    def __call__(self, thumb, title):
        return {"thumb": self.rescale(thumb), "category": self.lookup(title)}


def split_target(inputs):
    target = inputs.pop("category")
    return inputs, target


def read_thumb(record):
    ex = tf.io.parse_single_example(record, {
        "thumb": tf.io.FixedLenFeature([], tf.string),
        "category": tf.io.FixedLenFeature([], tf.string),
    })
    image = tf.io.decode_png(ex["thumb"], channels=3)
    return tf.ensure_shape(image, (64, 64, 3)), ex["category"]
