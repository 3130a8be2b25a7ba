import tensorflow as tf

from .features import parse


def _open(shard):
    return tf.data.TFRecordDataset(shard, buffer_size=8 << 20)


def training_data(pattern, batch_size):
    shards = tf.data.Dataset.list_files(pattern)
    records = shards.interleave(_open)
    records = records.shuffle(50 * batch_size)
    return records.batch(batch_size).map(parse)


def validation_data(path, batch_size):
    records = _open(path)
    return records.batch(batch_size).map(parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)
