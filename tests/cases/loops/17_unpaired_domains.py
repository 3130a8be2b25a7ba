"""Horses and zebras: no image of one domain belongs to an image of the other."""
import numpy as np
import tensorflow as tf

SIZE = 16
rng = np.random.default_rng(4)
photos = {"horse": rng.random((30, SIZE, SIZE, 3)), "zebra": rng.random((24, SIZE, SIZE, 3))}

domains = []
for name in ("horse", "zebra"):
    images = photos[name].astype("float32") * 2 - 1
    domains.append(tf.data.Dataset.from_tensor_slices(images).shuffle(len(images)))

pairs = tf.data.Dataset.zip(tuple(domains)).batch(4, drop_remainder=True).prefetch(tf.data.AUTOTUNE)

gen = {k: tf.keras.Sequential([tf.keras.Input((SIZE, SIZE, 3)),
                               tf.keras.layers.Conv2D(3, 3, padding="same")]) for k in ("h2z", "z2h")}
weights = gen["h2z"].trainable_variables + gen["z2h"].trainable_variables
optimizer = tf.keras.optimizers.Adam(2e-4)
optimizer.build(weights)


@tf.function
def train_step(horse, zebra):
    with tf.GradientTape() as tape:
        cycle_h = gen["z2h"](gen["h2z"](horse))
        cycle_z = gen["h2z"](gen["z2h"](zebra))
        loss = tf.reduce_mean(tf.abs(cycle_h - horse)) + tf.reduce_mean(tf.abs(cycle_z - zebra))
    optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
    return loss


for epoch in range(2):
    for horse, zebra in pairs:
        loss = train_step(horse, zebra)
    print(epoch, float(loss))
