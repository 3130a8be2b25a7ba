import tensorflow as tf


def _read(path):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    height = tf.strings.to_number(tf.strings.split(path, "_")[-2])
    return tf.image.resize(image, (128, 128)) / 255.0, height


def photos(pattern):
    files = tf.data.Dataset.list_files(pattern)
    return files.map(_read, num_parallel_calls=tf.data.AUTOTUNE)
