import numpy as np
import pandas as pd
import tensorflow as tf

WINDOW, BATCH = 48, 256


def load(path):
    load_mw = pd.read_csv(path, parse_dates=["hour"]).set_index("hour")["load_mw"]
    values = load_mw.interpolate().to_numpy("float32")
    return (values - values.mean()) / values.std()


series = load("/energy/grid_hourly.csv")
cut = int(0.85 * len(series))
parts = {"train": series[:cut], "val": series[cut:]}

sets = {}
for name, values in parts.items():
    sets[name] = tf.keras.utils.timeseries_dataset_from_array(
        data=values[:, np.newaxis],
        targets=values,
        sequence_length=WINDOW,
        batch_size=BATCH,
        shuffle=name == "train",
    )

model = tf.keras.Sequential([
    tf.keras.Input((WINDOW, 1)),
    tf.keras.layers.LSTM(64, return_sequences=True),
    tf.keras.layers.LSTM(32),
    tf.keras.layers.Dense(1),
])
model.compile("adam", "mse", metrics=["mae"])
model.fit(
    sets["train"],
    validation_data=sets["val"],
    epochs=40,
    callbacks=[tf.keras.callbacks.EarlyStopping(patience=5, restore_best_weights=True)],
)
model.save("/models/grid.keras")
