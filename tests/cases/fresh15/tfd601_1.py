import glob
import os

import tensorflow as tf
from tensorflow import keras

keras.mixed_precision.set_global_policy("mixed_float16")
keras.backend.set_image_data_format("channels_first")

ROOT = "/data/imagenette"
WNIDS = sorted(os.listdir(os.path.join(ROOT, "train")))
SIDE = 160


def read(path, label):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    image = tf.image.resize(image, (SIDE, SIDE)) / 255.0
    image = tf.transpose(image, [2, 0, 1])
    return image, label


def listing(split):
    paths, labels = [], []
    for i, wnid in enumerate(WNIDS):
        found = glob.glob(os.path.join(ROOT, split, wnid, "*.JPEG"))
        paths += found
        labels += [i] * len(found)
    return paths, labels


def dataset(split):
    paths, labels = listing(split)
    ds = tf.data.Dataset.from_tensor_slices((paths, labels))
    if split == "train":
        ds = ds.shuffle(len(paths))
    ds = ds.map(read, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(128).prefetch(tf.data.AUTOTUNE)


def block(x, width, stride):
    x = keras.layers.Conv2D(width, 3, strides=stride, padding="same", use_bias=False)(x)
    x = keras.layers.BatchNormalization(axis=1)(x)
    return keras.layers.ReLU()(x)


def build():
    inputs = keras.Input((3, SIDE, SIDE))
    x = block(inputs, 64, 2)
    for width in (128, 256, 512):
        x = block(x, width, 2)
    x = keras.layers.GlobalAveragePooling2D()(x)
    outputs = keras.layers.Dense(len(WNIDS), activation="softmax", dtype="float32")(x)
    return keras.Model(inputs, outputs)


def main():
    model = build()
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(dataset("train"), validation_data=dataset("val"), epochs=20)


if __name__ == "__main__":
    main()
