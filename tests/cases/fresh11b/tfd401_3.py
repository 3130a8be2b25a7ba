import tensorflow as tf


class PipelineBuilder:
    """Fluent wrapper that keeps the dataset in self.ds."""

    def __init__(self, files):
        self.ds = tf.data.TFRecordDataset(files, num_parallel_reads=tf.data.AUTOTUNE)

    def map(self, fn):
        self.ds = self.ds.map(fn, num_parallel_calls=tf.data.AUTOTUNE)
        return self

    def shuffle(self, size):
        self.ds = self.ds.shuffle(size)
        return self

    def batch(self, size):
        self.ds = self.ds.batch(size)
        return self

    def build(self):
        return self.ds.prefetch(tf.data.AUTOTUNE)


SPEC = {
    "x": tf.io.FixedLenFeature([64], tf.float32),
    "y": tf.io.FixedLenFeature([], tf.int64),
}


def parse(record):
    ex = tf.io.parse_single_example(record, SPEC)
    return ex["x"], ex["y"]


def main():
    builder = PipelineBuilder(sorted(tf.io.gfile.glob("/data/click/train-*.tfrecord")))
    builder.shuffle(50_000)
    builder.map(parse)
    builder.batch(512)
    train = builder.build()

    model = tf.keras.Sequential([tf.keras.Input((64,)), tf.keras.layers.Dense(128, "relu"), tf.keras.layers.Dense(2)])
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(train, epochs=3)


if __name__ == "__main__":
    main()
