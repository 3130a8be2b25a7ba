import tensorflow as tf

READERS = {
    "tfrecord": lambda f: tf.data.TFRecordDataset(f, compression_type="GZIP"),
    "csv": lambda f: tf.data.TextLineDataset(f).skip(1),
}


def parse_csv(lines):
    cols = tf.io.decode_csv(lines, [0.0] * 31)
    return tf.stack(cols[:-1], axis=1), cols[-1]


def parse_records(raw):
    ex = tf.io.parse_example(raw, {
        "x": tf.io.FixedLenFeature([30], tf.float32),
        "y": tf.io.FixedLenFeature([], tf.float32),
    })
    return ex["x"], ex["y"]


PARSERS = {"tfrecord": parse_records, "csv": parse_csv}


class TabularInput:
    def __init__(self, kind, pattern, batch_size=4096):
        self.kind = kind
        self.pattern = pattern
        self.batch_size = batch_size
        self.interleave_kwargs = dict(cycle_length=24, block_length=4)

    def open(self):
        files = tf.data.Dataset.list_files(self.pattern, shuffle=True)
        return files.interleave(READERS[self.kind], **self.interleave_kwargs)

    def __call__(self):
        ds = self.open().shuffle(200_000).batch(self.batch_size)
        ds = ds.map(PARSERS[self.kind], num_parallel_calls=tf.data.AUTOTUNE)
        return ds.prefetch(tf.data.AUTOTUNE)


def main():
    train = TabularInput("csv", "/data/fraud/2023-*.csv")
    model = tf.keras.Sequential([
        tf.keras.Input((30,)),
        tf.keras.layers.Dense(256, activation="relu"),
        tf.keras.layers.Dense(1, activation="sigmoid"),
    ])
    model.compile("adam", "binary_crossentropy")
    model.fit(train(), epochs=5)


if __name__ == "__main__":
    main()
