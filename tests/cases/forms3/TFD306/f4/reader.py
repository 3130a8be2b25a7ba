import tensorflow as tf

SPEC = {
    "features": tf.io.FixedLenFeature([40], tf.float32),
    "click": tf.io.FixedLenFeature([], tf.float32),
}


def batches(pattern, size):
    files = sorted(tf.io.gfile.glob(pattern))
    records = tf.data.TFRecordDataset(files)
    return records.batch(size).map(
        lambda r: tf.io.parse_example(r, SPEC), num_parallel_calls=tf.data.AUTOTUNE)
