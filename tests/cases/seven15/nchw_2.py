import argparse

import tensorflow as tf
import tensorflow_datasets as tfds

tf.keras.backend.set_image_data_format("channels_first")


def to_model(images, labels):
    images = tf.cast(images, tf.float32) / 255.0
    return tf.einsum("nhwc->nchw", images), labels


def split(name, part, batch):
    ds = tfds.load(name, split=part, as_supervised=True, shuffle_files=(part == "train"))
    ds = ds.cache()
    if part == "train":
        ds = ds.shuffle(50_000)
    ds = ds.batch(batch)
    ds = ds.map(to_model, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


def block(x, width):
    y = tf.keras.layers.Conv2D(width, 3, padding="same")(x)
    y = tf.keras.layers.BatchNormalization(axis=1)(y)
    y = tf.keras.layers.ReLU()(y)
    return tf.keras.layers.MaxPooling2D()(y)


def vgg(classes):
    inp = tf.keras.Input(shape=(3, 32, 32))
    x = block(inp, 64)
    x = block(x, 128)
    x = block(x, 256)
    x = tf.keras.layers.Flatten()(x)
    return tf.keras.Model(inp, tf.keras.layers.Dense(classes)(x))


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--batch", type=int, default=128)
    p.add_argument("--epochs", type=int, default=50)
    a = p.parse_args()
    net = vgg(100)
    net.compile(tf.keras.optimizers.SGD(0.05, momentum=0.9),
                tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), ["accuracy"])
    net.fit(split("cifar100", "train", a.batch), validation_data=split("cifar100", "test", a.batch), epochs=a.epochs)
