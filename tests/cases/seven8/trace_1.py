"""CycleGAN horse2zebra-scale training script with a profiler window."""
import os
import time

import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE
LOGDIR = "logs/cyclegan"
PROFILE_START, PROFILE_STOP = 200, 220
EPOCHS, BATCH, SIZE = 200, 4, 256


def load(path):
    img = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    img = tf.image.resize(img, [286, 286])
    img = tf.image.random_crop(img, [SIZE, SIZE, 3])
    return tf.image.random_flip_left_right(img) / 127.5 - 1.0


def domain(pattern):
    return (tf.data.Dataset.list_files(pattern).shuffle(4000)
            .map(load, num_parallel_calls=AUTOTUNE)
            .batch(BATCH, drop_remainder=True))


train_ds = tf.data.Dataset.zip((domain("/data/city/day/*.jpg"), domain("/data/city/night/*.jpg")))
train_ds = train_ds.prefetch(AUTOTUNE)


def unet():
    inp = tf.keras.Input((SIZE, SIZE, 3))
    x = tf.keras.layers.Conv2D(64, 7, padding="same", activation="relu")(inp)
    for ch in (128, 256):
        x = tf.keras.layers.Conv2D(ch, 3, 2, "same", activation="relu")(x)
    for ch in (128, 64):
        x = tf.keras.layers.Conv2DTranspose(ch, 3, 2, "same", activation="relu")(x)
    return tf.keras.Model(inp, tf.keras.layers.Conv2D(3, 7, padding="same", activation="tanh")(x))


g_ab, g_ba = unet(), unet()
opt = tf.keras.optimizers.Adam(2e-4, beta_1=0.5)
variables = g_ab.trainable_variables + g_ba.trainable_variables


@tf.function
def train_step(a, b):
    with tf.GradientTape() as tape:
        cycle = tf.reduce_mean(tf.abs(g_ba(g_ab(a)) - a)) + tf.reduce_mean(tf.abs(g_ab(g_ba(b)) - b))
    opt.apply_gradients(zip(tape.gradient(cycle, variables), variables))
    return cycle


writer = tf.summary.create_file_writer(LOGDIR)
global_step = 0
for epoch in range(EPOCHS):
    t0 = time.time()
    for a, b in train_ds:
        if global_step == PROFILE_START:
            tf.profiler.experimental.start(LOGDIR)
        loss = train_step(a, b)
        if global_step == PROFILE_STOP:
            tf.profiler.experimental.stop()
        global_step += 1
    with writer.as_default(step=epoch):
        tf.summary.scalar("cycle", loss)
    print(f"epoch {epoch} {time.time() - t0:.1f}s loss {float(loss):.4f}")
    g_ab.save(os.path.join(LOGDIR, f"g_ab_{epoch:03d}.keras"))
