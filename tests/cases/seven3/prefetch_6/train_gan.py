import sys

import tensorflow as tf
from tensorflow.keras import layers

import data

LATENT = 128
bce = tf.keras.losses.BinaryCrossentropy(from_logits=True)

generator = tf.keras.Sequential([
    layers.Input((LATENT,)), layers.Dense(8 * 8 * 256), layers.Reshape((8, 8, 256)),
    layers.Conv2DTranspose(128, 4, 2, "same", activation="relu"),
    layers.Conv2DTranspose(64, 4, 2, "same", activation="relu"),
    layers.Conv2DTranspose(3, 4, 2, "same", activation="tanh")])
discriminator = tf.keras.Sequential([
    layers.Conv2D(64, 4, 2, "same", activation="leaky_relu"),
    layers.Conv2D(128, 4, 2, "same", activation="leaky_relu"),
    layers.Flatten(), layers.Dense(1)])
g_opt = tf.keras.optimizers.Adam(2e-4, beta_1=0.5)
d_opt = tf.keras.optimizers.Adam(2e-4, beta_1=0.5)


@tf.function
def step(real):
    z = tf.random.normal((tf.shape(real)[0], LATENT))
    with tf.GradientTape() as gt, tf.GradientTape() as dt:
        fake = generator(z, training=True)
        r, f = discriminator(real, training=True), discriminator(fake, training=True)
        d_loss = bce(tf.ones_like(r), r) + bce(tf.zeros_like(f), f)
        g_loss = bce(tf.ones_like(f), f)
    g_opt.apply_gradients(zip(gt.gradient(g_loss, generator.trainable_variables), generator.trainable_variables))
    d_opt.apply_gradients(zip(dt.gradient(d_loss, discriminator.trainable_variables),
                              discriminator.trainable_variables))
    return d_loss, g_loss


faces = iter(data.face_batches(sys.argv[1], 128))
for i in range(200_000):
    d_loss, g_loss = step(next(faces))
    if i % 1000 == 0:
        print(i, float(d_loss), float(g_loss))
