import numpy as np
import tensorflow as tf

HISTORY = 24

values = np.load("power.npy").astype("float32")
values = (values - values.mean()) / values.std()
split = int(len(values) * 0.8)
past, recent = values[:split], values[split:]

train = tf.keras.utils.timeseries_dataset_from_array(
    past[:-HISTORY], past[HISTORY:], sequence_length=HISTORY, batch_size=64, shuffle=True
)
valid = tf.keras.utils.timeseries_dataset_from_array(
    recent[:-HISTORY], recent[HISTORY:], sequence_length=HISTORY, batch_size=64
)

model = tf.keras.Sequential([
    tf.keras.Input((HISTORY,)),
    tf.keras.layers.Dense(32, activation="relu"),
    tf.keras.layers.Dense(1),
])
model.compile("adam", "mse")
model.fit(
    train.prefetch(tf.data.AUTOTUNE), validation_data=valid.prefetch(tf.data.AUTOTUNE), epochs=20
)
