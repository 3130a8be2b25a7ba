"""Curriculum: easy examples first, then easy and harder ones together."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(17)
x = rng.normal(size=(150, 8)).astype("float32")
noise = np.linspace(0, 2, 150)
y = (x[:, 0] + rng.normal(size=150) * noise > 0).astype("float32")

levels = [tf.data.Dataset.from_tensor_slices((x[a:a + 50], y[a:a + 50])) for a in range(0, 150, 50)]

stages = [levels[0]]
for level in levels[1:]:
    stages.append(stages[-1].concatenate(level))

for i in range(len(stages)):
    size = 50 * (i + 1)
    stages[i] = stages[i].shuffle(size).batch(10).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([tf.keras.Input((8,)), tf.keras.layers.Dense(1, activation="sigmoid")])
model.compile("adam", "binary_crossentropy")
epoch = 0
for stage in stages:
    model.fit(stage, initial_epoch=epoch, epochs=epoch + 2, verbose=0)
    epoch += 2
