import tensorflow as tf


class Pipeline:
    def __init__(self, files):
        self.ds = tf.data.TextLineDataset(files)

    def shuffle(self, size):
        self.ds = self.ds.shuffle(size)
        return self

    def batch(self, size):
        self.ds = self.ds.batch(size)
        return self

    def map(self, fn):
        self.ds = self.ds.map(fn, num_parallel_calls=tf.data.AUTOTUNE)
        return self


def parse(lines):
    cols = tf.io.decode_csv(lines, [[0.0]] * 6)
    return tf.stack(cols[:5], axis=1), cols[5]


pipeline = Pipeline(sorted(tf.io.gfile.glob("yacht-*.csv")))
pipeline.shuffle(10000)
pipeline.batch(64)
pipeline.map(parse)

model = tf.keras.Sequential([tf.keras.layers.Dense(16, activation="relu"), tf.keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(pipeline.ds.prefetch(tf.data.AUTOTUNE), epochs=10)
