import tensorflow as tf

WINDOW = 96
HORIZON = 24


class LoadForecastData:
    def __init__(self, pattern, batch_size=128):
        self.pattern = pattern
        self.batch_size = batch_size

    def windows_of_file(self, path):
        series = tf.data.TextLineDataset(path).skip(1)
        series = series.batch(4096).map(self.parse).unbatch()
        windows = series.window(WINDOW + HORIZON, shift=1, drop_remainder=True)
        return windows.flat_map(self.window_to_tensor)

    def window_to_tensor(self, window):
        return window.batch(WINDOW + HORIZON, drop_remainder=True)

    @staticmethod
    def parse(lines):
        _, load, temperature = tf.io.decode_csv(lines, [[""], [0.0], [0.0]])
        return tf.stack([load, temperature], axis=-1)

    @staticmethod
    def split(batch):
        return batch[:, :WINDOW], batch[:, WINDOW:, 0]

    def train(self):
        files = tf.data.Dataset.list_files(self.pattern)
        ds = files.interleave(
            self.windows_of_file,
            cycle_length=tf.data.AUTOTUNE,
            num_parallel_calls=tf.data.AUTOTUNE,
            deterministic=False,
        )
        ds = ds.shuffle(20_000).batch(self.batch_size)
        ds = ds.map(self.split, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.prefetch(tf.data.AUTOTUNE)


def main():
    data = LoadForecastData("/data/meters/*.csv")
    model = tf.keras.Sequential([
        tf.keras.layers.LSTM(64),
        tf.keras.layers.Dense(HORIZON),
    ])
    model.compile("adam", "mae")
    model.fit(data.train(), epochs=20)


if __name__ == "__main__":
    main()
