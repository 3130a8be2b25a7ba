import tensorflow as tf

FIELDS = {"query": tf.io.FixedLenFeature([128], tf.int64), "doc": tf.io.FixedLenFeature([256], tf.int64)}


class PairLoader:
    def __init__(self, pattern, batch_size):
        ds = tf.data.Dataset.list_files(pattern, shuffle=True).repeat()
        ds = ds.interleave(tf.data.TFRecordDataset, cycle_length=16, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.shuffle(50_000).batch(batch_size, drop_remainder=True)
        ds = ds.map(lambda r: tf.io.parse_example(r, FIELDS), num_parallel_calls=tf.data.AUTOTUNE)
        self._iterator = iter(ds.prefetch(tf.data.AUTOTUNE))

    def next_batch(self):
        return next(self._iterator)
