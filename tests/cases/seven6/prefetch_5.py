# %% [markdown]
# # DCGAN on CelebA, 64x64
# %%
import glob
import time

import tensorflow as tf
from tensorflow.keras import layers

BATCH, ZDIM, EPOCHS = 256, 128, 40
paths = sorted(glob.glob("/datasets/celeba/img_align_celeba/*.jpg"))  # 202,599

# %%
def load(path):
    face = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    face = tf.image.central_crop(face, 0.7)
    face = tf.image.resize(face, (64, 64), antialias=True)
    face = tf.image.random_flip_left_right(face)
    return face / 127.5 - 1.0

faces = tf.data.Dataset.from_tensor_slices(paths).shuffle(len(paths))
faces = faces.map(load, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
faces = faces.batch(BATCH, drop_remainder=True)

# %%
G = tf.keras.Sequential([layers.Dense(4 * 4 * 512), layers.Reshape((4, 4, 512))])
for width in (256, 128, 64):
    G.add(layers.Conv2DTranspose(width, 4, strides=2, padding="same", activation="relu"))
G.add(layers.Conv2DTranspose(3, 4, strides=2, padding="same", activation="tanh"))
D = tf.keras.Sequential()
for width in (64, 128, 256, 512):
    D.add(layers.Conv2D(width, 4, strides=2, padding="same", activation="leaky_relu"))
D.add(layers.Flatten())
D.add(layers.Dense(1))
G.build((None, ZDIM))
D.build((None, 64, 64, 3))
g_opt, d_opt = (tf.keras.optimizers.Adam(2e-4, beta_1=0.5) for _ in range(2))
bce = tf.keras.losses.BinaryCrossentropy(from_logits=True)

# %%
@tf.function
def run_epoch(data):
    total = 0.0
    for real in data:
        z = tf.random.normal((BATCH, ZDIM))
        with tf.GradientTape() as gt, tf.GradientTape() as dt:
            fake = G(z, training=True)
            p_real, p_fake = D(real, training=True), D(fake, training=True)
            g_loss = bce(tf.ones_like(p_fake), p_fake)
            d_loss = bce(tf.ones_like(p_real), p_real) + bce(tf.zeros_like(p_fake), p_fake)
        g_opt.apply_gradients(zip(gt.gradient(g_loss, G.trainable_variables), G.trainable_variables))
        d_opt.apply_gradients(zip(dt.gradient(d_loss, D.trainable_variables), D.trainable_variables))
        total += g_loss
    return total

# %%
for epoch in range(EPOCHS):
    t0 = time.time()
    print(epoch, float(run_epoch(faces)), f"{time.time() - t0:.0f}s")
    G.save_weights("dcgan.weights.h5")
