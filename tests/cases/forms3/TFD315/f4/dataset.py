import tensorflow as tf


def image_dataset(pattern, size, batch):
    height, width = size

    def read(path):
        image = tf.io.decode_png(tf.io.read_file(path), channels=3)
        return tf.image.resize_with_pad(image, height, width)

    ds = tf.data.Dataset.list_files(pattern)
    ds = ds.map(read, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch)
