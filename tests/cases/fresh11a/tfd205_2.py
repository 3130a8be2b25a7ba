import argparse

import cv2
import numpy as np
import tensorflow as tf


def equalize(image, clip):
    clahe = cv2.createCLAHE(clipLimit=clip, tileGridSize=(8, 8))
    gray = np.asarray(image)[..., 0]
    return clahe.apply(gray)[..., None]


def preprocess(opts):
    ops = [lambda im: tf.cast(tf.image.resize(im, [opts.size, opts.size]), tf.uint8)]
    if opts.clahe:
        ops.append(lambda im: equalize(im, opts.clahe))

    def run(path, label):
        image = tf.io.decode_png(tf.io.read_file(path), channels=1)
        for op in ops:
            image = op(image)
        return tf.cast(image, tf.float32) / 255.0, label

    return run


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--index", default="xray.npz")
    p.add_argument("--size", type=int, default=256)
    p.add_argument("--clahe", type=float, default=2.0)
    opts = p.parse_args()

    index = np.load(opts.index)
    paths, labels = index["paths"], index["labels"]
    ds = tf.data.Dataset.from_tensor_slices((paths, labels)).shuffle(len(paths))
    ds = ds.map(preprocess(opts), num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(32).prefetch(tf.data.AUTOTUNE)

    model = tf.keras.Sequential([
        tf.keras.layers.Conv2D(32, 3, strides=2, activation="relu"),
        tf.keras.layers.Conv2D(64, 3, strides=2, activation="relu"),
        tf.keras.layers.GlobalAveragePooling2D(),
        tf.keras.layers.Dense(1, activation="sigmoid"),
    ])
    model.compile("adam", "binary_crossentropy")
    model.fit(ds, epochs=25)


if __name__ == "__main__":
    main()
