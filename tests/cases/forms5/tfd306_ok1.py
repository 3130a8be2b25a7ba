import numpy as np
import tensorflow as tf

WINDOW = 96
BATCH = 256


def windows(series):
    ds = tf.data.Dataset.from_tensor_slices(series)
    ds = ds.window(WINDOW + 1, shift=1, drop_remainder=True)
    ds = ds.flat_map(lambda w: w.batch(WINDOW + 1))
    ds = ds.shuffle(50_000)
    ds = ds.map(lambda w: (w[:-1], w[-1, 0]))
    return ds.batch(BATCH).prefetch(tf.data.AUTOTUNE)


def build_model(features):
    return tf.keras.Sequential(
        [
            tf.keras.layers.Input((WINDOW, features)),
            tf.keras.layers.Conv1D(64, 5, padding="causal", activation="relu"),
            tf.keras.layers.LSTM(64),
            tf.keras.layers.Dense(1),
        ]
    )


def main():
    series = np.load("/data/electricity.npy").astype("float32")
    model = build_model(series.shape[1])
    model.compile("adam", "mae")
    model.fit(windows(series), epochs=15)


if __name__ == "__main__":
    main()
