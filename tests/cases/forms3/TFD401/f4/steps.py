import tensorflow as tf


def rescale(ds):
    return ds.map(lambda x, y: (x / 255.0, y), num_parallel_calls=tf.data.AUTOTUNE)
