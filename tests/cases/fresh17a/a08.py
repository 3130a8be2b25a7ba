"""Convolutional autoencoder for texture patches (custom loop)."""
from dataclasses import dataclass

import tensorflow as tf
import tensorflow_datasets as tfds


@dataclass(frozen=True)
class Opt:
    name: str = "dtd"
    side: int = 128
    batch: int = 64
    epochs: int = 80
    latent: int = 64


def sizer(side):
    def fn(example):
        gray = tf.image.rgb_to_grayscale(example["image"])
        return tf.image.resize(gray, (side, side), method="area")
    return fn


class Auto(tf.keras.Model):
    def __init__(self, o):
        super().__init__()
        q = o.side // 4
        self.enc = tf.keras.Sequential([
            tf.keras.layers.Conv2D(32, 3, 2, "same", activation="relu"),
            tf.keras.layers.Conv2D(64, 3, 2, "same", activation="relu"),
            tf.keras.layers.Flatten(),
            tf.keras.layers.Dense(o.latent),
        ])
        self.dec = tf.keras.Sequential([
            tf.keras.layers.Dense(q * q * 32, activation="relu"),
            tf.keras.layers.Reshape((q, q, 32)),
            tf.keras.layers.Conv2DTranspose(32, 3, 2, "same", activation="relu"),
            tf.keras.layers.Conv2DTranspose(1, 3, 2, "same", activation="sigmoid"),
        ])

    def call(self, x):
        return self.dec(self.enc(x))


def images(o):
    ds, info = tfds.load(o.name, split="train", with_info=True, shuffle_files=True)
    ds = ds.map(sizer(o.side), num_parallel_calls=tf.data.AUTOTUNE).cache()
    return ds.shuffle(info.splits["train"].num_examples).batch(o.batch).prefetch(tf.data.AUTOTUNE)


def run(o=Opt()):
    net, adam = Auto(o), tf.keras.optimizers.Adam(1e-3)
    bce = tf.keras.losses.BinaryCrossentropy()

    @tf.function
    def step(x):
        with tf.GradientTape() as tape:
            loss = bce(x, net(x, training=True))
        adam.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))
        return loss

    ds = images(o)
    for e in range(o.epochs):
        for x in ds:
            loss = step(x)
        print(e, float(loss))


run()
