import numpy as np
import tensorflow as tf


def prepare(array, buffer):
    return tf.data.Dataset.from_tensor_slices(array).shuffle(buffer)


archive = np.load("/data/spectra.npz")
parts = [prepare(archive[key], len(archive["y"])) for key in ("x", "y")]
train = tf.data.Dataset.zip(*parts)
train = train.batch(128).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Dense(256, activation="relu"),
    tf.keras.layers.Dense(64, activation="relu"),
    tf.keras.layers.Dense(12),
])
model.compile(
    optimizer=tf.keras.optimizers.Adam(1e-3),
    loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    metrics=["accuracy"],
)
model.fit(train, epochs=40)
