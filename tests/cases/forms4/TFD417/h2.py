import tensorflow as tf


class ShardedReader:
    def __init__(self, pattern, num_workers=4):
        self.pattern = pattern
        self.num_workers = num_workers

    def files(self, worker):
        files = tf.data.Dataset.list_files(self.pattern, shuffle=False)
        return files.shard(self.num_workers, worker - 1)

    def records(self, worker):
        files = self.files(worker).shuffle(128)
        ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.prefetch(tf.data.AUTOTUNE)


reader = ShardedReader("logs/*.tfrecord")
for worker in range(1, reader.num_workers + 1):
    lengths = reader.records(worker).map(tf.strings.length, num_parallel_calls=tf.data.AUTOTUNE)
    print(worker, sum(lengths.as_numpy_iterator()))

train_ds, val_ds = tf.keras.utils.image_dataset_from_directory(
    "birds", validation_split=0.2, subset="both", seed=42, image_size=(200, 200)
)
print(train_ds.class_names, val_ds.cardinality().numpy())
