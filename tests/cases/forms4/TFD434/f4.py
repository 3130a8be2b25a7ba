import numpy as np
from keras import Sequential, layers
from keras.utils import timeseries_dataset_from_array

series = np.genfromtxt("births.csv", delimiter=",", skip_header=1, usecols=1)
series = series.astype("float32") / series.max()
history = 14

arguments = {
    "data": series[:, np.newaxis],
    "targets": series,
    "sequence_length": history,
    "batch_size": 16,
}
dataset = timeseries_dataset_from_array(shuffle=True, seed=3, **arguments)
dataset = dataset.prefetch(2)

model = Sequential([
    layers.Conv1D(16, 3, activation="relu"),
    layers.GlobalAveragePooling1D(),
    layers.Dense(1),
])
model.compile(optimizer="rmsprop", loss="mse")
model.fit(dataset, epochs=50)
