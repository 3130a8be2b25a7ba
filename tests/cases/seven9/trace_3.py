"""Pix2Pix on the maps / night2day datasets."""
import os
import time

import tensorflow as tf
import tensorflow.profiler.experimental as tfprof

PATH = '/data/night2day/train'
LOGS = 'logs/pix2pix'
BATCH, EPOCHS, LAMBDA = 4, 150, 100.0


def load(path):
    pair = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    pair = tf.cast(pair, tf.float32) / 127.5 - 1.0
    w = tf.shape(pair)[1] // 2
    both = tf.stack([pair[:, :w], pair[:, w:]])
    both = tf.image.resize(both, (286, 286))
    both = tf.image.random_crop(both, (2, 256, 256, 3))
    return both[0], both[1]


train_ds = tf.data.Dataset.list_files(os.path.join(PATH, '*.jpg'))
train_ds = train_ds.shuffle(17000)
train_ds = train_ds.map(load, num_parallel_calls=tf.data.AUTOTUNE)
train_ds = train_ds.batch(BATCH).prefetch(tf.data.AUTOTUNE)


def down(f, bn=True):
    s = [tf.keras.layers.Conv2D(f, 4, 2, 'same', use_bias=False)]
    if bn:
        s.append(tf.keras.layers.BatchNormalization())
    return tf.keras.Sequential(s + [tf.keras.layers.LeakyReLU()])


def build_generator():
    x = inp = tf.keras.Input((256, 256, 3))
    skips = []
    for f in (64, 128, 256, 512):
        x = down(f)(x)
        skips.append(x)
    for f, s in zip((256, 128, 64), skips[-2::-1]):
        x = tf.keras.layers.Conv2DTranspose(f, 4, 2, 'same', activation='relu')(x)
        x = tf.keras.layers.Concatenate()([x, s])
    out = tf.keras.layers.Conv2DTranspose(3, 4, 2, 'same', activation='tanh')(x)
    return tf.keras.Model(inp, out)


def build_discriminator():
    a, b = tf.keras.Input((256, 256, 3)), tf.keras.Input((256, 256, 3))
    x = tf.keras.layers.Concatenate()([a, b])
    for f in (64, 128, 256):
        x = down(f, f > 64)(x)
    return tf.keras.Model([a, b], tf.keras.layers.Conv2D(1, 4)(x))


gen, disc = build_generator(), build_discriminator()
g_opt, d_opt = (tf.keras.optimizers.Adam(2e-4, 0.5) for _ in range(2))
bce = tf.keras.losses.BinaryCrossentropy(from_logits=True)


@tf.function
def train_step(src, tgt):
    with tf.GradientTape() as gt, tf.GradientTape() as dt:
        fake = gen(src, training=True)
        real_l, fake_l = disc([src, tgt]), disc([src, fake])
        g_loss = bce(tf.ones_like(fake_l), fake_l)
        g_loss += LAMBDA * tf.reduce_mean(tf.abs(tgt - fake))
        d_loss = bce(tf.ones_like(real_l), real_l)
        d_loss += bce(tf.zeros_like(fake_l), fake_l)
    gv, dv = gen.trainable_variables, disc.trainable_variables
    g_opt.apply_gradients(zip(gt.gradient(g_loss, gv), gv))
    d_opt.apply_gradients(zip(dt.gradient(d_loss, dv), dv))
    return g_loss, d_loss


for epoch in range(EPOCHS):
    start = time.time()
    if epoch == 2:
        tfprof.start(LOGS)
    with tfprof.Trace('epoch', step_num=epoch, _r=1):
        for src, tgt in train_ds:
            losses = train_step(src, tgt)
    if epoch == 2:
        tfprof.stop()
    print(epoch, [float(v) for v in losses], time.time() - start)
