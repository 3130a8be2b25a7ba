import tensorflow as tf

FEATURES = {
    "tokens": tf.io.FixedLenFeature([128], tf.int64),
    "label": tf.io.FixedLenFeature([], tf.int64),
}


def _to_pair(batch):
    ex = tf.io.parse_example(batch, FEATURES)
    return ex["tokens"], ex["label"]


def train_input(files, batch_size):
    ds = tf.data.TFRecordDataset(files, num_parallel_reads=tf.data.AUTOTUNE)
    ds = ds.shuffle(50_000).repeat()
    ds = ds.batch(batch_size, drop_remainder=True)
    return ds.map(_to_pair, num_parallel_calls=tf.data.AUTOTUNE)
