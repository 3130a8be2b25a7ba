import functools

import tensorflow as tf


class CsvReader:
    def __init__(self, pattern, columns):
        self.pattern = pattern
        self.columns = columns
        self.open = functools.partial(tf.data.TextLineDataset, compression_type="GZIP")

    def parse(self, line):
        values = tf.io.decode_csv(line, [0.0] * self.columns)
        return tf.stack(values[1:], axis=1), values[0]

    def __call__(self, batch_size):
        files = tf.data.Dataset.list_files(self.pattern)
        lines = files.interleave(lambda f: self.open(f).skip(1))
        ds = lines.shuffle(20_000).batch(batch_size)
        ds = ds.map(self.parse, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.prefetch(tf.data.AUTOTUNE)


model = tf.keras.Sequential([tf.keras.layers.Dense(64, "relu"), tf.keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(CsvReader("/data/trips/*.csv.gz", 12)(256), epochs=5)
