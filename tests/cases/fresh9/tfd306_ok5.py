"""Electricity load forecasting with sliding windows."""
import numpy as np
import pandas as pd
import tensorflow as tf

HISTORY, HORIZON, BATCH = 168, 24, 256


def windows(series):
    length = HISTORY + HORIZON
    ds = tf.data.Dataset.from_tensor_slices(series.astype(np.float32))
    ds = ds.window(length, shift=1, drop_remainder=True)
    return ds.flat_map(lambda w: w.batch(length))


def split(sequence):
    return sequence[:HISTORY], sequence[HORIZON * -1:, 0]


def training_set(series):
    ds = windows(series)
    ds = ds.shuffle(20_000)
    ds = ds.map(split, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(BATCH, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def main():
    frame = pd.read_csv("ercot_hourly.csv", parse_dates=["time"], index_col="time")
    frame = (frame - frame.mean()) / frame.std()
    cut = int(len(frame) * 0.8)
    model = tf.keras.Sequential([
        tf.keras.layers.LSTM(128, return_sequences=True),
        tf.keras.layers.LSTM(64),
        tf.keras.layers.Dense(HORIZON),
    ])
    model.compile("adam", "huber")
    model.fit(training_set(frame.values[:cut]), epochs=20)
    test = windows(frame.values[cut:]).map(split).batch(BATCH)
    print(model.evaluate(test))


if __name__ == "__main__":
    main()
