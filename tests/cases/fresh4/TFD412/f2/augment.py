import tensorflow as tf


def distort(image, label):
    image = tf.image.random_flip_left_right(image)
    image = tf.image.random_contrast(image, 0.6, 1.4)
    return tf.clip_by_value(image, 0.0, 1.0), label
