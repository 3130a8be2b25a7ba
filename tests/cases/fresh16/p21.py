import collections

import tensorflow as tf

READERS = {
    "text": tf.data.TextLineDataset,
    "gzip": lambda f: tf.data.TextLineDataset(f, compression_type="GZIP"),
    "record": tf.data.TFRecordDataset,
}

Format = collections.namedtuple("Format", "pattern reader header")


class LogCorpus:
    fmt = Format("logs/*.txt", "text", 0)
    window = 50_000

    def lines(self):
        names = tf.data.Dataset.list_files(self.fmt.pattern, shuffle=True)
        open_one = READERS[self.fmt.reader]
        return names.interleave(
            lambda name: open_one(name).skip(self.fmt.header),
            cycle_length=16, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)

    def parse(self, batch):
        raise NotImplementedError

    def batches(self, size):
        ds = self.lines().shuffle(self.window).batch(size)
        ds = ds.map(self.parse, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.prefetch(tf.data.AUTOTUNE)


class AccessLog(LogCorpus):
    fmt = Format("s3://edge-logs/2024-*/part-*.csv.gz", "gzip", 1)
    columns = [[0.0]] * 9 + [[0]]

    def parse(self, batch):
        *values, bot = tf.io.decode_csv(batch, self.columns)
        return tf.stack(values, axis=-1), bot


class BotDetector(tf.keras.Model):
    def __init__(self, width):
        super().__init__()
        self.norm = tf.keras.layers.BatchNormalization()
        self.hidden = [tf.keras.layers.Dense(width, activation="relu") for _ in range(3)]
        self.out = tf.keras.layers.Dense(1, activation="sigmoid")

    def call(self, x, training=False):
        x = self.norm(x, training=training)
        for layer in self.hidden:
            x = layer(x)
        return self.out(x)


if __name__ == "__main__":
    detector = BotDetector(64)
    detector.compile("adam", "binary_crossentropy", metrics=["accuracy"])
    detector.fit(AccessLog().batches(2048), epochs=3)
    detector.save_weights("bot.weights.h5")
