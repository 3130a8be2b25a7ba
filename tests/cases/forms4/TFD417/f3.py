import tensorflow as tf


class ShardedReader:
    def __init__(self, pattern, num_workers=4):
        self.pattern = pattern
        self.num_workers = num_workers

    def files(self, worker):
        files = tf.data.Dataset.list_files(self.pattern, shuffle=False)
        return files.shard(self.num_workers, worker)

    def records(self, worker):
        files = self.files(worker).shuffle(128)
        ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.prefetch(tf.data.AUTOTUNE)


def count_bytes(ds):
    return ds.reduce(
        tf.constant(0, tf.int64), lambda total, r: total + tf.cast(tf.strings.length(r), tf.int64)
    )


reader = ShardedReader("logs/*.tfrecord")
for worker in range(1, reader.num_workers + 1):
    print(worker, count_bytes(reader.records(worker)).numpy())
