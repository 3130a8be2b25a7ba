"""Stacked generalisation with a holdout set."""
import numpy as np
import tensorflow as tf

AUTO = tf.data.AUTOTUNE
rng = np.random.default_rng(67)
x = rng.normal(size=(180, 6)).astype("float32")
y = (x[:, 0] * x[:, 1] + x[:, 2] > 0).astype("float32")
cuts = [(0, 60), (60, 120), (120, 150), (150, 180)]
pieces = [tf.data.Dataset.from_tensor_slices((x[a:b], y[a:b])) for a, b in cuts]
*base_parts, holdout, test = pieces
holdout, test = (ds.batch(30).prefetch(AUTO) for ds in (holdout, test))


def dense(width):
    model = tf.keras.Sequential([tf.keras.Input((width,)), tf.keras.layers.Dense(1, activation="sigmoid")])
    model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
    return model


bases = []
for part in base_parts:
    base = dense(6)
    base.fit(part.shuffle(60).batch(12).prefetch(AUTO), epochs=2, verbose=0)
    bases.append(base)

level2 = {}
for name, ds, labels in (("fit", holdout, y[120:150]), ("score", test, y[150:])):
    stacked = np.concatenate([base.predict(ds, verbose=0) for base in bases], axis=1)
    level2[name] = tf.data.Dataset.from_tensor_slices((stacked, labels))

meta = dense(len(bases))
meta.fit(level2["fit"].shuffle(30).batch(10).prefetch(AUTO), epochs=2, verbose=0)
print(meta.evaluate(level2["score"].batch(10).prefetch(AUTO), verbose=0))
