import tensorflow as tf

NUM_CLASSES = 17


def scale_and_encode(patch, crop_type):
    patch = tf.clip_by_value(patch / 10_000.0, 0.0, 1.0)
    return patch, tf.one_hot(crop_type, NUM_CLASSES)
