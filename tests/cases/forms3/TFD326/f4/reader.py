import tensorflow as tf

import config


def examples(pattern):
    files = tf.data.Dataset.list_files(pattern)
    return files.interleave(
        lambda f: tf.data.TFRecordDataset(f, buffer_size=8 << 20),
        num_parallel_calls=tf.data.AUTOTUNE,
        deterministic=config.ORDERED,
    )
