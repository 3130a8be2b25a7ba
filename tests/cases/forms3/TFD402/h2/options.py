import tensorflow as tf


def speed_options(threads):
    options = tf.data.Options()
    options.deterministic = False
    options.threading.private_threadpool_size = threads
    return options
