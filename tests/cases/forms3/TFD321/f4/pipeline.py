import tensorflow as tf

SPEC = {"png": tf.io.FixedLenFeature([], tf.string), "char": tf.io.FixedLenFeature([], tf.int64)}


def records(pattern):
    files = tf.data.Dataset.list_files(pattern)
    ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
    return ds.shuffle(20000)


def parse(record):
    ex = tf.io.parse_single_example(record, SPEC)
    image = tf.io.decode_png(ex["png"], channels=1)
    return tf.image.resize(image, (64, 64)) / 255.0, ex["char"]


def finish(ds, batch):
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch).prefetch(tf.data.AUTOTUNE)
