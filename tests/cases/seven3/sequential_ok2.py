import numpy as np
import tensorflow as tf

HISTORY = 168
HORIZON = 24
BATCH = 128

load = np.load("/data/grid_load.npy").astype("float32")
mean, std = load.mean(), load.std()
series = (load - mean) / std


def window_batches(values, shuffle):
    windows = tf.data.Dataset.from_tensor_slices(values).window(HISTORY + HORIZON, shift=1, drop_remainder=True)
    examples = windows.flat_map(lambda w: w.batch(HISTORY + HORIZON))
    if shuffle:
        examples = examples.shuffle(10_000)
    batches = examples.batch(BATCH, drop_remainder=shuffle)
    batches = batches.map(lambda w: (w[:, :HISTORY, tf.newaxis], w[:, HISTORY:]),
                          num_parallel_calls=tf.data.AUTOTUNE)
    return batches.prefetch(tf.data.AUTOTUNE)


cut = int(0.8 * len(series))
model = tf.keras.Sequential([
    tf.keras.Input((HISTORY, 1)),
    tf.keras.layers.Conv1D(64, 7, padding="causal", activation="relu"),
    tf.keras.layers.LSTM(64),
    tf.keras.layers.Dense(HORIZON),
])
model.compile("adam", "mse", metrics=["mae"])
model.fit(window_batches(series[:cut], True), validation_data=window_batches(series[cut:], False), epochs=20)
