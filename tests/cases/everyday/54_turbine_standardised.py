"""Remaining life of turbines. The statistics of the training set are applied in the pipeline."""
import numpy as np
import tensorflow as tf

BATCH_SIZE = 256

x_train = np.load("data/turbines/x_train.npy").astype("float32")
y_train = np.load("data/turbines/y_train.npy").astype("float32")
x_valid = np.load("data/turbines/x_valid.npy").astype("float32")
y_valid = np.load("data/turbines/y_valid.npy").astype("float32")

MEAN = float(x_train.mean())
STD = float(x_train.std())
MAX_LIFE = 125.0


def standardise(x, y):
    return (x - MEAN) / STD, y / MAX_LIFE


train_ds = tf.data.Dataset.from_tensor_slices((x_train, y_train))
train_ds = train_ds.shuffle(len(x_train), reshuffle_each_iteration=True)
train_ds = train_ds.map(standardise)
train_ds = train_ds.batch(BATCH_SIZE)

valid_ds = tf.data.Dataset.from_tensor_slices((x_valid, y_valid))
valid_ds = valid_ds.batch(1024).map(standardise).prefetch(1)

inputs = tf.keras.Input(x_train.shape[1:])
x = tf.keras.layers.Conv1D(64, 7, activation="relu")(inputs)
x = tf.keras.layers.Conv1D(64, 5, strides=2, activation="relu")(x)
x = tf.keras.layers.LSTM(64)(x)
outputs = tf.keras.layers.Dense(1, activation="softplus")(x)
model = tf.keras.Model(inputs, outputs)

model.compile(
    optimizer=tf.keras.optimizers.Adam(tf.keras.optimizers.schedules.ExponentialDecay(1e-3, 1000, 0.9)),
    loss="mse",
    metrics=[tf.keras.metrics.RootMeanSquaredError()],
)
stopper = tf.keras.callbacks.EarlyStopping(patience=10, restore_best_weights=True)
model.fit(train_ds, validation_data=valid_ds, epochs=100, callbacks=[stopper], verbose=2)
loss, rmse = model.evaluate(valid_ds)
print(f"RMSE in cycles: {rmse * MAX_LIFE:.1f}")
np.savez("turbine_scaling.npz", mean=MEAN, std=STD)
model.save("turbine_life")
