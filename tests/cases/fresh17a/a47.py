import numpy as np
import tensorflow as tf

TOTAL, CALIB, BATCH = 2048, 48, 64
rng = np.random.default_rng(11)


def simulate(n):
    t = rng.uniform(0.0, 6.28, size=(n, 4)).astype("float32")
    return t, np.sin(t).sum(axis=1, keepdims=True).astype("float32")


def as_batches(x, y, training):
    ds = tf.data.Dataset.from_tensor_slices((x, y))
    if training:
        ds = ds.shuffle(len(x))
    return ds.batch(BATCH, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


x, y = simulate(TOTAL)
train = as_batches(x[CALIB:], y[CALIB:], True)
calib = as_batches(x[:CALIB], y[:CALIB], False)

model = tf.keras.Sequential([
    tf.keras.layers.Dense(128, activation="swish"),
    tf.keras.layers.Dense(128, activation="swish"),
    tf.keras.layers.Dense(1),
])
model.compile("adam", "mse")
model.fit(train, epochs=50, verbose=2)

residuals = []
for xb, yb in calib:
    residuals.append(np.abs(yb.numpy() - model(xb).numpy()))
bound = np.quantile(np.concatenate(residuals), 0.9)
print("90% interval: +-", bound)
