import argparse
from functools import partial

import numpy as np
import tensorflow as tf

Conv = partial(
    tf.keras.layers.Conv2D,
    kernel_size=3,
    padding="same",
    activation="relu",
    data_format="channels_first",
)
Pool = partial(tf.keras.layers.MaxPool2D, data_format="channels_first")


def load(split):
    blob = np.load(f"/data/eurosat/{split}.npz")
    images = blob["bands"]
    images = np.moveaxis(images, -1, 1)
    return np.ascontiguousarray(images), blob["cover"].astype("int64")


def scale(images, cover):
    return tf.cast(images, tf.float32) / 10_000.0, cover


def make(split, batch_size):
    images, cover = load(split)
    ds = tf.data.Dataset.from_tensor_slices((images, cover))
    if split == "train":
        ds = ds.shuffle(len(images))
    ds = ds.batch(batch_size, drop_remainder=split == "train")
    ds = ds.map(scale, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


def vgg(bands, classes):
    model = tf.keras.Sequential([tf.keras.Input((bands, 64, 64))])
    for width in (64, 128, 256):
        model.add(Conv(width))
        model.add(Conv(width))
        model.add(Pool())
    model.add(tf.keras.layers.GlobalAveragePooling2D(data_format="channels_first"))
    model.add(tf.keras.layers.Dense(classes, activation="softmax", dtype="float32"))
    return model


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--epochs", type=int, default=40)
    args = parser.parse_args()
    tf.keras.mixed_precision.set_global_policy("mixed_float16")

    strategy = tf.distribute.MirroredStrategy()
    with strategy.scope():
        model = vgg(bands=13, classes=10)
        model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(
        make("train", args.batch), validation_data=make("valid", args.batch), epochs=args.epochs
    )


if __name__ == "__main__":
    main()
