import tensorflow as tf

AUTO = tf.data.AUTOTUNE


class ShardedReader:
    """Reads gzip TFRecord shards of click sessions from object storage."""

    def __init__(self, pattern, *, compression="GZIP", cycle=16, block=16):
        self.pattern = pattern
        self.compression = compression
        self.cycle = cycle
        self.block = block

    def _open(self, path):
        return tf.data.TFRecordDataset(path, compression_type=self.compression, buffer_size=8 << 20)

    def read(self, shuffle):
        files = tf.data.Dataset.list_files(self.pattern, shuffle=shuffle)
        return files.interleave(self._open, cycle_length=self.cycle, block_length=self.block)


class SessionPipeline:
    SPEC = {
        "items": tf.io.FixedLenFeature([50], tf.int64),
        "next": tf.io.FixedLenFeature([], tf.int64),
    }

    def __init__(self, reader, batch_size=2048):
        self.reader = reader
        self.batch_size = batch_size

    def _parse(self, records):
        ex = tf.io.parse_example(records, self.SPEC)
        return ex["items"], ex["next"]

    def dataset(self, training=True):
        ds = self.reader.read(shuffle=training)
        if training:
            ds = ds.shuffle(400_000)
        return (
            ds.batch(self.batch_size, drop_remainder=training)
            .map(self._parse, num_parallel_calls=AUTO)
            .prefetch(AUTO)
        )


def main():
    pipes = {
        name: SessionPipeline(ShardedReader(f"gs://sessions/{name}/part-*.tfrecord.gz"))
        for name in ("train", "valid")
    }
    model = tf.keras.Sequential([
        tf.keras.layers.Embedding(250_000, 64),
        tf.keras.layers.GRU(128),
        tf.keras.layers.Dense(250_000),
    ])
    model.compile(
        "adagrad", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    )
    model.fit(
        pipes["train"].dataset(), validation_data=pipes["valid"].dataset(training=False), epochs=3
    )


if __name__ == "__main__":
    main()
