import tensorflow as tf

FILES = tf.io.gfile.glob("/data/ads/day-*.tfrecord")


def parse(rec):
    ex = tf.io.parse_single_example(rec, {
        "f": tf.io.FixedLenFeature([40], tf.float32), "click": tf.io.FixedLenFeature([], tf.int64)})
    return ex["f"], ex["click"]


def count(ds):
    # the files do not record how many rows pass the filter
    return int(ds.reduce(tf.constant(0, tf.int64), lambda n, *_: n + 1))


class Trainer:
    def __init__(self, batch_size=1024, epochs=3):
        self.batch_size, self.epochs = batch_size, epochs
        self.raw = tf.data.TFRecordDataset(FILES, num_parallel_reads=tf.data.AUTOTUNE).map(
            parse, num_parallel_calls=tf.data.AUTOTUNE).filter(lambda f, c: tf.reduce_any(f > 0.0))

    def fit(self, model):
        total = count(self.raw) // self.batch_size * self.epochs
        model.compile(tf.keras.optimizers.Adam(tf.keras.optimizers.schedules.CosineDecay(1e-3, total)),
                      tf.keras.losses.BinaryCrossentropy(from_logits=True))
        model.fit(self.raw.shuffle(100_000).batch(self.batch_size).prefetch(tf.data.AUTOTUNE), epochs=self.epochs)


if __name__ == "__main__":
    Trainer().fit(tf.keras.Sequential([
        tf.keras.Input((40,)), tf.keras.layers.Dense(256, "relu"), tf.keras.layers.Dense(1)]))
