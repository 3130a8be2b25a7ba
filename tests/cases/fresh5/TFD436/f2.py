import tensorflow as tf

SPEC = {"state": tf.io.FixedLenFeature([16], tf.float32)}


class Transitions:
    def __init__(self, pattern):
        self.files = sorted(tf.io.gfile.glob(pattern))

    def states(self):
        ds = tf.data.TFRecordDataset(self.files, num_parallel_reads=16)
        return ds.map(self.parse, num_parallel_calls=tf.data.AUTOTUNE)

    @staticmethod
    def parse(record):
        return tf.io.parse_single_example(record, SPEC)["state"]

    def pairs(self):
        ds = self.states()
        ds = ds.batch(2, drop_remainder=True)
        ds = ds.map(lambda p: (p[0], p[1]), num_parallel_calls=tf.data.AUTOTUNE)
        return ds.shuffle(20_000).batch(256).prefetch(tf.data.AUTOTUNE)


model = tf.keras.Sequential([
    tf.keras.layers.Dense(128, activation="relu"),
    tf.keras.layers.Dense(16),
])
model.compile("adam", "mse")
model.fit(Transitions("/data/robot/*.tfrecord").pairs(), epochs=25)
