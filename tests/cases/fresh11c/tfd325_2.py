import functools

import tensorflow as tf
from tensorflow import data as tfd

SETTINGS = dict(files="/data/xray/*.png", batch=32, classes=14, cache="/scratch/xray")


def decode(path):
    label = tf.strings.to_number(tf.strings.split(path, "_")[-2], tf.int32)
    grey = tf.io.decode_png(tf.io.read_file(path), channels=1)
    return tf.ensure_shape(grey, (512, 512, 1)), label


def as_network_input(grey, label, scale):
    rgb = tf.image.grayscale_to_rgb(grey)
    return tf.cast(rgb, tf.float32) * scale, label


def chain(ds, *functions):
    for function in functions:
        ds = ds.map(function, num_parallel_calls=tfd.AUTOTUNE)
    return ds


def training_data(s):
    files = tfd.Dataset.list_files(s["files"], seed=1)
    ds = chain(files, decode, functools.partial(as_network_input, scale=1 / 255.0))
    ds = ds.cache(s["cache"])
    return ds.shuffle(1000).batch(s["batch"]).prefetch(tfd.AUTOTUNE)


def main():
    model = tf.keras.applications.DenseNet121(
        weights=None, input_shape=(512, 512, 3), classes=SETTINGS["classes"])
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(training_data(SETTINGS), epochs=25)


if __name__ == "__main__":
    main()
