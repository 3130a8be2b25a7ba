"""Electricity load forecasting with a TCN (UCI, 370 clients)."""
import pandas as pd
import tensorflow as tf


class LoadForecaster:
    def __init__(self, history=168, horizon=24, batch=128):
        self.history = history
        self.horizon = horizon
        self.batch = batch

    def split(self, window):
        return window[:self.history], window[self.history:]

    def windows(self, values):
        ds = tf.data.Dataset.from_tensor_slices(values)
        ds = ds.window(self.history + self.horizon, shift=1, drop_remainder=True)
        return ds

    def training_set(self, values):
        ds = self.windows(values)
        ds = ds.shuffle(5000)
        ds = ds.map(self.split, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(self.batch).prefetch(tf.data.AUTOTUNE)

    def model(self, channels):
        x = inp = tf.keras.Input((self.history, channels))
        for d in (1, 2, 4, 8, 16):
            x = tf.keras.layers.Conv1D(64, 3, dilation_rate=d, padding="causal",
                                       activation="relu")(x)
        x = x[:, -1]
        x = tf.keras.layers.Dense(self.horizon * channels)(x)
        return tf.keras.Model(inp, tf.keras.layers.Reshape((self.horizon, channels))(x))


def main():
    df = pd.read_csv("/data/electricity/LD2011_2014.txt", sep=";", decimal=",",
                     index_col=0, parse_dates=True)
    df = df.resample("1h").mean().iloc[:, :32]
    values = ((df - df.mean()) / df.std()).fillna(0.0).to_numpy("float32")
    cut = int(len(values) * 0.8)

    f = LoadForecaster()
    model = f.model(values.shape[1])
    model.compile("adam", "mae")
    model.fit(f.training_set(values[:cut]), epochs=10)


if __name__ == "__main__":
    main()
