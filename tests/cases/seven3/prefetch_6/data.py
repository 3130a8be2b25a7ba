import tensorflow as tf


def decode(path):
    image = tf.io.decode_png(tf.io.read_file(path), channels=3)
    image = tf.image.resize(image, (72, 72))
    image = tf.image.random_crop(image, (64, 64, 3))
    return image / 127.5 - 1.0


def face_batches(root, batch_size):
    ds = tf.data.Dataset.list_files(root + "/*.png", shuffle=True)
    ds = ds.repeat()
    ds = ds.map(decode, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
    options = tf.data.Options()
    options.threading.private_threadpool_size = 16
    return ds.batch(batch_size, drop_remainder=True).with_options(options)
