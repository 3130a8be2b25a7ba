import numpy as np
import tensorflow as tf

WINDOW = 48
HORIZON = 12


def split_window(w):
    return w[:WINDOW], w[WINDOW:]


def make_dataset(series, batch_size=128):
    ds = tf.data.Dataset.from_tensor_slices(series)
    ds = ds.window(WINDOW + HORIZON, shift=1, drop_remainder=True)
    ds = ds.map(split_window)
    ds = ds.shuffle(10_000).batch(batch_size)
    return ds.prefetch(tf.data.AUTOTUNE)


def main():
    series = np.loadtxt("/data/load_hourly.csv", delimiter=",", skiprows=1, usecols=1)
    series = ((series - series.mean()) / series.std()).astype("float32")
    cut = int(0.8 * len(series))
    train = make_dataset(series[:cut])
    valid = make_dataset(series[cut:])

    model = tf.keras.Sequential([
        tf.keras.layers.Reshape((WINDOW, 1)),
        tf.keras.layers.LSTM(64),
        tf.keras.layers.Dense(HORIZON),
    ])
    model.compile("adam", "mse")
    model.fit(train, validation_data=valid, epochs=20)


if __name__ == "__main__":
    main()
