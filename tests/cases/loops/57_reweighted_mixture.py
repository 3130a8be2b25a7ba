"""Curriculum by weights: from clean to noisy sources."""
import numpy as np
import tensorflow as tf

sources = []
for level in (0.0, 0.3, 0.9):
    rng = np.random.default_rng(int(level * 10))
    x = rng.random((60, 4)).astype("float32")
    y = (x.sum(axis=1) + rng.normal(0, level, 60)).astype("float32")
    sources.append(tf.data.Dataset.from_tensor_slices((x, y)).shuffle(60).repeat())

schedule = [[0.8, 0.1, 0.1], [0.4, 0.4, 0.2], [0.2, 0.3, 0.5]]
mixtures = []
for weights in schedule:
    mixed = tf.data.Dataset.sample_from_datasets(sources, weights=weights)
    mixtures.append(mixed.batch(12).prefetch(tf.data.AUTOTUNE))

model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(6, "relu"), tf.keras.layers.Dense(1)])
model.compile("adam", "mse")
for stage, mixture in enumerate(mixtures):
    model.fit(mixture, steps_per_epoch=15, epochs=2 * stage + 2, initial_epoch=2 * stage, verbose=0)
