from itertools import permutations

import numpy as np
import tensorflow as tf

AUTO = tf.data.AUTOTUNE
rng = np.random.default_rng(72)
grid = rng.uniform(-1, 1, (100, 3)).astype("float32")
above = (grid[:, 2] > grid[:, 0] * grid[:, 1]).astype("float32")

halves = {}
for name, rows in (("odd", slice(1, None, 2)), ("even", slice(0, None, 2))):
    halves[name] = tf.data.Dataset.from_tensor_slices((grid[rows], above[rows]))

result = {}
for fit_on, score_on in permutations(halves):
    model = tf.keras.Sequential([
        tf.keras.Input((3,)), tf.keras.layers.Dense(8, "tanh"), tf.keras.layers.Dense(1, activation="sigmoid")])
    model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
    model.fit(halves[fit_on].shuffle(50).batch(10).prefetch(AUTO), epochs=2, verbose=0)
    result[fit_on, score_on] = model.evaluate(halves[score_on].batch(25).prefetch(AUTO), verbose=0)
print(result)
