"""DCGAN on 64x64 CelebA, code ported from a Theano repository."""
import argparse

import tensorflow as tf
from tensorflow.keras import backend as K
from tensorflow.keras import layers


def setup(args):
    tf.random.set_seed(args.seed)
    K.set_image_data_format("channels_first")
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)


def generator(z=128):
    m = tf.keras.Sequential([layers.Input((z,)), layers.Dense(512 * 4 * 4),
                             layers.Reshape((512, 4, 4))])
    for ch in (256, 128, 64):
        m.add(layers.Conv2DTranspose(ch, 4, 2, padding="same"))
        m.add(layers.BatchNormalization(axis=1))
        m.add(layers.ReLU())
    m.add(layers.Conv2DTranspose(3, 4, 2, padding="same", activation="tanh"))
    return m


def discriminator():
    m = tf.keras.Sequential([layers.Input((3, 64, 64))])
    for ch in (64, 128, 256, 512):
        m.add(layers.Conv2D(ch, 4, 2, padding="same"))
        m.add(layers.LeakyReLU(0.2))
    m.add(layers.Flatten())
    m.add(layers.Dense(1))
    return m


def faces(pattern, batch):
    def load(path):
        img = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
        img = tf.image.resize(img[20:-20], (64, 64)) / 127.5 - 1.0
        return tf.transpose(img, (2, 0, 1))
    ds = tf.data.Dataset.list_files(pattern, shuffle=True)
    ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--images", default="/data/celeba/*.jpg")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--epochs", type=int, default=25)
    args = p.parse_args()
    setup(args)
    G, D = generator(), discriminator()
    og = tf.keras.optimizers.Adam(2e-4, 0.5)
    od = tf.keras.optimizers.Adam(2e-4, 0.5)
    bce = tf.keras.losses.BinaryCrossentropy(from_logits=True)

    @tf.function
    def step(real):
        z = tf.random.normal((tf.shape(real)[0], 128))
        with tf.GradientTape() as tg, tf.GradientTape() as td:
            fake = G(z, training=True)
            r, f = D(real, training=True), D(fake, training=True)
            lg = bce(tf.ones_like(f), f)
            ld = bce(tf.ones_like(r), r) + bce(tf.zeros_like(f), f)
        og.apply_gradients(zip(tg.gradient(lg, G.trainable_variables), G.trainable_variables))
        od.apply_gradients(zip(td.gradient(ld, D.trainable_variables), D.trainable_variables))

    data = faces(args.images, 128)
    for _ in range(args.epochs):
        for real in data:
            step(real)
    G.save("generator.keras")


if __name__ == "__main__":
    main()
