"""Continual learning: after each task, the earlier tasks are tested again."""
import numpy as np
import tensorflow as tf

AUTO = tf.data.AUTOTUNE
rng = np.random.default_rng(33)
tasks = []
for t in range(3):
    x = rng.normal(loc=t, size=(60, 5)).astype("float32")
    y = (x.sum(1) > 5 * t).astype("float32")
    tasks.append((
        tf.data.Dataset.from_tensor_slices((x[:40], y[:40])).shuffle(40).batch(8).prefetch(AUTO),
        tf.data.Dataset.from_tensor_slices((x[40:], y[40:])).batch(20).prefetch(AUTO),
    ))

model = tf.keras.Sequential([
    tf.keras.Input((5,)), tf.keras.layers.Dense(8, activation="relu"), tf.keras.layers.Dense(1, activation="sigmoid")])
model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
seen, matrix = [], []
for train, test in tasks:
    model.fit(train, epochs=2, verbose=0)
    seen.append(test)
    matrix.append([model.evaluate(old, verbose=0)[1] for old in seen])
print(matrix)
