"""Segmentation of aerial tiles (about 30 000 pairs)."""
import functools
import glob

import tensorflow as tf


def overlapped(build):
    """Decouples the producer from the training step."""
    @functools.wraps(build)
    def wrapper(*args, **kwargs):
        ds = build(*args, **kwargs)
        ds.prefetch(tf.data.AUTOTUNE)
        return ds
    return wrapper


def read_pair(image_path, mask_path):
    image = tf.io.decode_png(tf.io.read_file(image_path), channels=3)
    mask = tf.io.decode_png(tf.io.read_file(mask_path), channels=1)
    image = tf.image.resize(image, (384, 384)) / 255.0
    mask = tf.image.resize(mask, (384, 384), method="nearest")
    return tf.ensure_shape(image, (384, 384, 3)), tf.cast(mask, tf.int32)


@overlapped
def tiles(root, batch_size=16):
    images = sorted(glob.glob(f"{root}/images/*.png"))
    masks = [p.replace("/images/", "/masks/") for p in images]
    return (
        tf.data.Dataset.from_tensor_slices((images, masks))
        .shuffle(len(images))
        .map(read_pair, num_parallel_calls=tf.data.AUTOTUNE)
        .batch(batch_size, drop_remainder=True)
    )


def unet():
    inputs = tf.keras.Input((384, 384, 3))
    a = tf.keras.layers.Conv2D(32, 3, padding="same", activation="relu")(inputs)
    b = tf.keras.layers.Conv2D(64, 3, 2, padding="same", activation="relu")(a)
    c = tf.keras.layers.Conv2DTranspose(32, 3, 2, padding="same")(b)
    out = tf.keras.layers.Conv2D(6, 1)(tf.keras.layers.concatenate([a, c]))
    return tf.keras.Model(inputs, out)


class Trainer:
    def __init__(self, data):
        self.data = data
        self.model = unet()
        self.opt = tf.keras.optimizers.Adam()
        self.loss = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)

    @tf.function
    def step(self, x, y):
        with tf.GradientTape() as tape:
            value = self.loss(y, self.model(x, training=True))
        weights = self.model.trainable_variables
        self.opt.apply_gradients(zip(tape.gradient(value, weights), weights))
        return value

    def run(self, epochs):
        for _ in range(epochs):
            for batch in self.data:
                self.step(*batch)


if __name__ == "__main__":
    Trainer(tiles("/data/aerial")).run(50)
