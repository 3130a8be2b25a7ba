import tensorflow as tf


def csv_lines(path):
    lines = tf.data.TextLineDataset(path, buffer_size=8 << 20)
    return lines.skip(1).filter(lambda line: tf.strings.length(line) > 0)


def parse(line):
    values = tf.strings.to_number(tf.strings.split(line, ";"))
    return tf.ensure_shape(values[1:], [15]), values[0]
