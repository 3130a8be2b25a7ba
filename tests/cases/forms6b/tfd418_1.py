import argparse

import tensorflow as tf
from tensorflow import data as tfd

AUTOTUNE = tfd.AUTOTUNE
PARTS = {"rgb": "images/*.jpg", "depth": "depth/*.png"}


def read_rgb(path):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.resize(image, [240, 320]) / 255.0


def read_depth(path):
    depth = tf.io.decode_png(tf.io.read_file(path), channels=1, dtype=tf.uint16)
    depth = tf.image.resize(depth, [240, 320], method="nearest")
    return tf.cast(depth, tf.float32) / 1000.0


READERS = {"rgb": read_rgb, "depth": read_depth}


def build(root, batch_size):
    branches = {}
    for name, pattern in PARTS.items():
        paths = sorted(tf.io.gfile.glob(f"{root}/{pattern}"))
        branch = tfd.Dataset.from_tensor_slices(paths).shuffle(len(paths))
        branches[name] = branch.map(READERS[name], num_parallel_calls=AUTOTUNE)
    ds = tfd.Dataset.zip(branches)
    ds = ds.map(lambda row: (row["rgb"], row["depth"]), num_parallel_calls=AUTOTUNE)
    return ds.batch(batch_size).prefetch(AUTOTUNE)


def build_model():
    x = inputs = tf.keras.Input((240, 320, 3))
    for width in (32, 64):
        x = tf.keras.layers.Conv2D(width, 3, strides=2, padding="same", activation="relu")(x)
    for width in (64, 32):
        x = tf.keras.layers.Conv2DTranspose(width, 3, strides=2, padding="same", activation="relu")(x)
    return tf.keras.Model(inputs, tf.keras.layers.Conv2D(1, 1)(x))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("root")
    parser.add_argument("--batch_size", type=int, default=16)
    args = parser.parse_args()
    model = build_model()
    model.compile("adam", "mae")
    model.fit(build(args.root, args.batch_size), epochs=40)


if __name__ == "__main__":
    main()
