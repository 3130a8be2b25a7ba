import keras
import numpy as np
import tensorflow as tf

series = np.load("load.npy").astype("float32")[:, None]
length, ahead = 48, 12
train = keras.utils.timeseries_dataset_from_array(
    series[:-ahead], series[length + ahead - 1:], sequence_length=length, batch_size=64, shuffle=True, seed=1)

steps = 0
for steps, _ in enumerate(train, start=1):
    continue
print("steps per epoch:", steps)

train = train.prefetch(tf.data.AUTOTUNE)
rate = keras.optimizers.schedules.PolynomialDecay(1e-3, decay_steps=20 * steps)
model = keras.Sequential([keras.layers.LSTM(32), keras.layers.Dense(1)])
model.compile(keras.optimizers.Adam(rate), "mse")
model.fit(train, epochs=20)
