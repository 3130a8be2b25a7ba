import numpy as np
import tensorflow as tf

values = np.load("power.npy").astype("float32")
values = (values - values.mean()) / values.std()
split = int(len(values) * 0.8)

train = tf.keras.utils.timeseries_dataset_from_array(
    values[:split], values[:split], sequence_length=24, batch_size=64, shuffle=True
)
valid = tf.keras.utils.timeseries_dataset_from_array(
    values[split:], values[split:], sequence_length=24, batch_size=64
)

model = tf.keras.Sequential([
    tf.keras.Input((24,)),
    tf.keras.layers.Dense(32, activation="relu"),
    tf.keras.layers.Dense(1),
])
model.compile("adam", "mse")
model.fit(
    train.prefetch(tf.data.AUTOTUNE), validation_data=valid.prefetch(tf.data.AUTOTUNE), epochs=20
)
