import tensorflow as tf

SPEC = {
    "tokens": tf.io.FixedLenFeature([128], tf.int64),
    "stars": tf.io.FixedLenFeature([], tf.int64),
}


def parse(serialized):
    ex = tf.io.parse_example(serialized, SPEC)
    return ex["tokens"], ex["stars"] - 1


def batches(pattern, batch_size):
    files = tf.data.Dataset.list_files(pattern)
    ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
    ds = ds.shuffle(50_000).repeat().batch(batch_size, drop_remainder=True)
    return ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)
