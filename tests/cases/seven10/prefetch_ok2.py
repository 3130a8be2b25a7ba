"""Radio spectrograms; subclass hooks around a common builder."""
import tensorflow as tf


class TaskData:
    def __init__(self, pattern, batch_size=128):
        self.pattern = pattern
        self.batch_size = batch_size

    def source(self):
        return tf.data.Dataset.list_files(self.pattern, shuffle=True).interleave(
            tf.data.TFRecordDataset, cycle_length=8,
            num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)

    def decode(self, record):
        raise NotImplementedError

    def finalize(self, ds):
        options = tf.data.Options()
        options.experimental_deterministic = False
        return ds.with_options(options).prefetch(tf.data.AUTOTUNE)

    def build(self):
        ds = self.source().shuffle(30_000)
        ds = ds.map(self.decode, num_parallel_calls=tf.data.AUTOTUNE)
        return self.finalize(ds)


class Spectrograms(TaskData):
    spec = {"iq": tf.io.FixedLenFeature([8192, 2], tf.float32),
            "kind": tf.io.FixedLenFeature([], tf.int64)}

    def decode(self, record):
        row = tf.io.parse_single_example(record, self.spec)
        wave = tf.complex(row["iq"][:, 0], row["iq"][:, 1])
        power = tf.abs(tf.signal.fft(tf.signal.frame(wave, 256, 128)))
        return tf.math.log1p(power)[..., tf.newaxis], row["kind"]

    def finalize(self, ds):
        return super().finalize(ds.batch(self.batch_size, drop_remainder=True))


if __name__ == "__main__":
    data = Spectrograms("/data/radio/train-*.tfrecord").build()
    model = tf.keras.Sequential([
        tf.keras.layers.Conv2D(32, 3, activation="relu"),
        tf.keras.layers.MaxPool2D(),
        tf.keras.layers.Conv2D(64, 3, activation="relu"),
        tf.keras.layers.GlobalMaxPool2D(),
        tf.keras.layers.Dense(24, activation="softmax"),
    ])
    model.compile("adam", "sparse_categorical_crossentropy")
    model.fit(data, epochs=20)
