import numpy as np
import tensorflow as tf

arrays = np.load("fraud.npz")
x, y = arrays["x"].astype("float32"), arrays["y"]
pos, neg = y == 1, y == 0
factor = int(neg.sum() // pos.sum())

majority = tf.data.Dataset.from_tensor_slices((x[neg], y[neg]))
minority = tf.data.Dataset.from_tensor_slices((x[pos], y[pos]))
minority = minority.repeat(factor)
ds = majority.concatenate(minority)
ds = ds.shuffle(2 * int(neg.sum()))
ds = ds.batch(256)
ds = ds.prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Dense(64, activation="relu"),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
model.compile("adam", "binary_crossentropy", metrics=[tf.keras.metrics.AUC()])
model.fit(ds, epochs=10)
