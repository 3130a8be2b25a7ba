import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE

_FEATURES = {
    "query": tf.io.FixedLenFeature([32], tf.int64),
    "doc": tf.io.FixedLenFeature([256], tf.int64),
    "rel": tf.io.FixedLenFeature([], tf.float32),
}


def _decode(batch):
    ex = tf.io.parse_example(batch, _FEATURES)
    rel = ex.pop("rel")
    return ex, rel


def load_split(pattern, batch_size, seed=None):
    shards = tf.data.Dataset.list_files(pattern, seed=seed)
    records = shards.interleave(
        lambda name: tf.data.TFRecordDataset(name, compression_type="GZIP"),
        cycle_length=16,
        block_length=4,
    )
    records = records.shuffle(65536).batch(batch_size, drop_remainder=True)
    return records.map(_decode, num_parallel_calls=AUTOTUNE).prefetch(AUTOTUNE)
