"""One model for each forecast horizon."""
import numpy as np
import tensorflow as tf

AUTO = tf.data.AUTOTUNE
series = np.sin(np.arange(400) / 9).astype("float32") + np.random.normal(0, 0.05, 400).astype("float32")
WINDOW, CUT = 12, 300


def windows(values, horizon, shuffle):
    ds = tf.keras.utils.timeseries_dataset_from_array(
        values[:-(WINDOW + horizon - 1)],
        values[WINDOW + horizon - 1:],
        sequence_length=WINDOW,
        sequence_stride=1,
        batch_size=32,
        shuffle=shuffle,
    )
    return ds.prefetch(AUTO)


by_horizon = {}
for horizon in (1, 6, 24):
    by_horizon[horizon] = (windows(series[:CUT], horizon, True), windows(series[CUT:], horizon, False))

for horizon, (train, valid) in by_horizon.items():
    model = tf.keras.Sequential([tf.keras.Input((WINDOW,)), tf.keras.layers.Dense(8, "relu"), tf.keras.layers.Dense(1)])
    model.compile("adam", "mse")
    model.fit(train, validation_data=valid, epochs=2, verbose=0)
