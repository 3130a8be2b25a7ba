import numpy as np
import tensorflow as tf
from sklearn.model_selection import KFold

arrays = np.load("turbine.npz")
x, y = arrays["x"].astype("float32"), arrays["y"].astype("float32")


def batches(rows, training):
    ds = tf.data.Dataset.from_tensor_slices((x[rows], y[rows]))
    if training:
        ds = ds.shuffle(len(rows))
    return ds.batch(64).prefetch(tf.data.AUTOTUNE)


scores = []
for fit_rows, test_rows in KFold(5, shuffle=True, random_state=0).split(x):
    model = tf.keras.Sequential([tf.keras.layers.Dense(32, activation="relu"), tf.keras.layers.Dense(1)])
    model.compile("adam", "mse")
    train, test = batches(fit_rows, True), batches(test_rows, False)
    model.fit(train, epochs=40, verbose=0)
    scores.append(model.evaluate(test, verbose=0))
print(np.mean(scores), np.std(scores))
