import os

import tensorflow as tf


def parse_line(line):
    parts = tf.io.decode_csv(line, record_defaults=[0.0, 0.0, 0.0, 0.0, 0])
    return tf.stack(parts[:4]), parts[4]


def line_dataset(folder, batch_size):
    paths = sorted(os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".csv"))
    lines = tf.data.TextLineDataset(paths)
    lines = lines.map(parse_line, num_parallel_calls=tf.data.AUTOTUNE)
    return lines.batch(batch_size).prefetch(tf.data.AUTOTUNE)
