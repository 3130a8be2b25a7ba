"""Whale fin classifier: geometry on uint8, colour on floats."""
import argparse
import glob
import os

import tensorflow as tf


def geometry(image, size):
    image = tf.image.random_crop(image, [size, size, 3])
    return tf.image.random_flip_left_right(image)


def colour(image):
    image = tf.image.convert_image_dtype(image, tf.float32)
    image = tf.image.random_brightness(image, 0.2)
    image = tf.image.random_saturation(image, 0.7, 1.3)
    return tf.clip_by_value(image, 0.0, 1.0)


def make_train(folder, names, size, batch):
    table = tf.lookup.StaticHashTable(
        tf.lookup.KeyValueTensorInitializer(names, tf.range(len(names), dtype=tf.int64)), -1)

    def load(path):
        image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
        label = table.lookup(tf.strings.split(path, os.sep)[-2])
        return colour(geometry(image, size)), label

    files = glob.glob(os.path.join(folder, "*", "*.jpg"))
    ds = tf.data.Dataset.from_tensor_slices(files).shuffle(len(files))
    ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def main(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--size", type=int, default=320)
    parser.add_argument("--batch", type=int, default=48)
    args = parser.parse_args(argv)
    names = sorted(os.listdir(args.folder))
    model = tf.keras.applications.ResNet50V2(weights=None, input_shape=(args.size, args.size, 3), classes=len(names))
    model.compile(tf.keras.optimizers.Adam(1e-3), "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(make_train(args.folder, names, args.size, args.batch), epochs=50)


if __name__ == "__main__":
    main()
