import tensorflow as tf

SPEC = {
    "ids": tf.io.FixedLenFeature([256], tf.int64),
    "label": tf.io.FixedLenFeature([], tf.int64),
}


def test_set(pattern):
    files = sorted(tf.io.gfile.glob(pattern))
    ds = tf.data.TFRecordDataset(files)
    ds = ds.map(lambda r: tf.io.parse_single_example(r, SPEC), num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)
