import tensorflow as tf


def read_tile(path, share):
    tile = tf.io.decode_png(tf.io.read_file(path), channels=3)
    tile = tf.ensure_shape(tile, (256, 256, 3))
    tile = tf.image.convert_image_dtype(tile, tf.float32)
    return tile, share
