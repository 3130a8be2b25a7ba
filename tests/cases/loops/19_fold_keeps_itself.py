"""Rolling evaluation of a churn model."""
import functools

import numpy as np
import tensorflow as tf

FOLDS = 4
rng = np.random.default_rng(6)
rows = rng.random((80, 7)).astype("float32")
churn = rng.integers(0, 2, 80).astype("float32")

parts = []
for start in range(0, 80, 20):
    parts.append(tf.data.Dataset.from_tensor_slices((rows[start:start + 20], churn[start:start + 20])))


def new_model():
    model = tf.keras.Sequential([tf.keras.Input((7,)), tf.keras.layers.Dense(1, activation="sigmoid")])
    model.compile("adam", "binary_crossentropy", metrics=["AUC"])
    return model


for i in range(FOLDS):
    model = new_model()
    trained = functools.reduce(lambda a, b: a.concatenate(b), parts[i:]).shuffle(80).batch(10).prefetch(tf.data.AUTOTUNE)
    scored = parts[i].batch(10).prefetch(tf.data.AUTOTUNE)
    model.fit(trained, epochs=2, verbose=0)
    print(i, model.evaluate(scored, verbose=0))
