"""pix2pix training."""
import os
import random

import numpy as np
import tensorflow as tf


def setup_environment(seed=0, eager_functions=True):
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "2"
    random.seed(seed)
    np.random.seed(seed)
    tf.random.set_seed(seed)
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)
    # so that breakpoints work in train_step
    tf.config.run_functions_eagerly(eager_functions)


def load(path):
    pair = tf.cast(tf.io.decode_jpeg(tf.io.read_file(path), channels=3), tf.float32)
    pair = tf.image.resize(pair, [256, 512]) / 127.5 - 1
    return pair[:, 256:], pair[:, :256]


def conv_net(out, activation=None):
    return tf.keras.Sequential([
        tf.keras.layers.Conv2D(64, 4, padding="same", activation="relu"),
        tf.keras.layers.Conv2D(128, 4, padding="same", activation="relu"),
        tf.keras.layers.Conv2D(out, 4, padding="same", activation=activation)])


def main():
    setup_environment(seed=42)
    ds = tf.data.Dataset.list_files("/data/facades/train/*.jpg").shuffle(400)
    ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE).batch(4).prefetch(tf.data.AUTOTUNE)
    gen, disc = conv_net(3, "tanh"), conv_net(1)
    g_opt, d_opt = (tf.keras.optimizers.Adam(2e-4, 0.5) for _ in range(2))
    bce = tf.keras.losses.BinaryCrossentropy(from_logits=True)

    @tf.function
    def train_step(source, target):
        with tf.GradientTape() as gt, tf.GradientTape() as dt:
            fake = gen(source, training=True)
            real_out = disc(tf.concat([source, target], -1), training=True)
            fake_out = disc(tf.concat([source, fake], -1), training=True)
            g_loss = bce(tf.ones_like(fake_out), fake_out)
            g_loss += 100 * tf.reduce_mean(tf.abs(target - fake))
            d_loss = bce(tf.ones_like(real_out), real_out)
            d_loss += bce(tf.zeros_like(fake_out), fake_out)
        g_opt.apply_gradients(zip(gt.gradient(g_loss, gen.trainable_variables),
                                  gen.trainable_variables))
        d_opt.apply_gradients(zip(dt.gradient(d_loss, disc.trainable_variables),
                                  disc.trainable_variables))

    for epoch in range(200):
        for source, target in ds:
            train_step(source, target)
        gen.save_weights("gen.weights.h5")


if __name__ == "__main__":
    main()
