import tensorflow as tf


class ShardReader:
    workers = 0

    def __init__(self, pattern, compression="ZLIB"):
        self.pattern = pattern
        self.compression = compression

    def open(self, shard):
        return tf.data.TFRecordDataset(shard, compression_type=self.compression)

    def records(self):
        shards = tf.data.Dataset.list_files(self.pattern, shuffle=True)
        return shards.interleave(
            self.open, cycle_length=10, num_parallel_calls=max(1, self.workers))

    def batches(self, size):
        def parse(batch):
            ex = tf.io.parse_example(batch, {
                "board": tf.io.FixedLenFeature([8 * 8 * 12], tf.float32),
                "value": tf.io.FixedLenFeature([], tf.float32),
            })
            return tf.reshape(ex["board"], (-1, 8, 8, 12)), ex["value"]

        ds = self.records().shuffle(100_000).batch(size, drop_remainder=True)
        return ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(128, 3, padding="same", activation="relu"),
    tf.keras.layers.Conv2D(128, 3, padding="same", activation="relu"),
    tf.keras.layers.Flatten(),
    tf.keras.layers.Dense(1, activation="tanh"),
])
model.compile("adam", "mse")
model.fit(ShardReader("/data/chess/*.tfr").batches(1024), epochs=4)
