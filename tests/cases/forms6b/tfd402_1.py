import tensorflow as tf


class SpeechDataModule:
    """Log-mel features from sharded TFRecords for a multi-worker job."""

    FEATURES = {
        "mel": tf.io.FixedLenFeature([98 * 64], tf.float32),
        "word": tf.io.FixedLenFeature([], tf.int64),
    }

    def __init__(self, pattern, batch_size, buffer=20_000):
        self.pattern = pattern
        self.batch_size = batch_size
        self.buffer = buffer
        self.options = tf.data.Options()
        self.options.deterministic = False
        self.options.experimental_distribute.auto_shard_policy = (
            tf.data.experimental.AutoShardPolicy.DATA
        )

    def _read(self):
        files = tf.data.Dataset.list_files(self.pattern)
        return files.interleave(
            tf.data.TFRecordDataset, cycle_length=8, num_parallel_calls=tf.data.AUTOTUNE
        )

    def _parse(self, records):
        row = tf.io.parse_example(records, self.FEATURES)
        return tf.reshape(row["mel"], [-1, 98, 64, 1]), row["word"]

    def train_dataset(self):
        ds = self._read()
        ds = ds.shuffle(self.buffer).batch(self.batch_size, drop_remainder=True)
        ds = ds.map(self._parse, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.prefetch(tf.data.AUTOTUNE)


def main():
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    data = SpeechDataModule("/mnt/speech/train-*.tfrecord", 64 * strategy.num_replicas_in_sync)
    with strategy.scope():
        model = tf.keras.Sequential([
            tf.keras.Input((98, 64, 1)),
            tf.keras.layers.Conv2D(32, 3, activation="relu"),
            tf.keras.layers.GlobalAveragePooling2D(),
            tf.keras.layers.Dense(35, activation="softmax"),
        ])
        model.compile("adam", "sparse_categorical_crossentropy")
    model.fit(data.train_dataset(), epochs=20)


if __name__ == "__main__":
    main()
