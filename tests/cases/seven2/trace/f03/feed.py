import tensorflow as tf


def decode(path):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    label = tf.strings.to_number(tf.strings.split(path, "/")[-2], tf.int32)
    return tf.image.resize(image, (224, 224)) / 255.0, label


def dataset(pattern, batch_size):
    ds = tf.data.Dataset.list_files(pattern)
    ds = ds.map(decode, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def numbered_batches(pattern, batch_size, epochs):
    ds = dataset(pattern, batch_size)
    step = 0
    for _ in range(epochs):
        for batch in ds:
            yield step, batch
            step += 1
