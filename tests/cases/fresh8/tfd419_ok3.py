import tensorflow as tf


class LogLoader:
    """Sequences of `length` events of one machine, the next event is the target."""

    def __init__(self, pattern, length=100, columns=6):
        self.pattern = pattern
        self.length = length
        self.defaults = [0.0] * columns

    def _events(self, path):
        ds = tf.data.TextLineDataset(path).skip(1)
        ds = ds.map(lambda line: tf.stack(tf.io.decode_csv(line, self.defaults)))
        ds = ds.window(self.length + 1, shift=10, drop_remainder=True)
        return ds.map(lambda w: w.batch(self.length + 1).get_single_element())

    def _target(self, sequence):
        return sequence[:-1], sequence[-1]

    def dataset(self, batch_size):
        files = tf.data.Dataset.list_files(self.pattern)
        ds = files.interleave(self._events, cycle_length=16, num_parallel_calls=8)
        ds = ds.shuffle(10_000)
        ds = ds.map(self._target, num_parallel_calls=8)
        return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


def main():
    train = LogLoader("/data/machines/*.csv").dataset(128)
    model = tf.keras.Sequential([
        tf.keras.layers.LSTM(128, return_sequences=True),
        tf.keras.layers.LSTM(128),
        tf.keras.layers.Dense(6),
    ])
    model.compile("adam", "mse")
    model.fit(train, epochs=12)


if __name__ == "__main__":
    main()
