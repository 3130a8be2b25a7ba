import argparse
import csv
import itertools
import os

import numpy as np
import tensorflow as tf


def parse_args():
    p = argparse.ArgumentParser()
    p.add_argument("--root", default="data/fashion")
    p.add_argument("--cache-dir", default="/tmp/fashion-cache")
    p.add_argument("--side", type=int, default=160)
    p.add_argument("--epochs", type=int, default=6)
    p.add_argument("--results", default="sweep.csv")
    return p.parse_args()


def make_loader(side):
    def load(path, label):
        raw = tf.io.read_file(path)
        image = tf.io.decode_jpeg(raw, channels=3)
        image = tf.image.resize(image, [side, side], antialias=True)
        return tf.cast(tf.round(image), tf.uint8), label

    return load


def read_split(args, split):
    table = np.genfromtxt(os.path.join(args.root, split + ".csv"), delimiter=",", dtype=str, skip_header=1)
    paths = [os.path.join(args.root, "images", name) for name in table[:, 0]]
    labels = table[:, 1].astype(np.int32)
    dataset = tf.data.Dataset.from_tensor_slices((paths, labels))
    dataset = dataset.map(make_loader(args.side))
    return dataset.cache(os.path.join(args.cache_dir, split))


def build(side, width, dropout):
    return tf.keras.Sequential(
        [
            tf.keras.layers.Rescaling(1 / 255, input_shape=(side, side, 3)),
            tf.keras.layers.Conv2D(width, 3, strides=2, activation="relu"),
            tf.keras.layers.Conv2D(2 * width, 3, strides=2, activation="relu"),
            tf.keras.layers.GlobalAveragePooling2D(),
            tf.keras.layers.Dropout(dropout),
            tf.keras.layers.Dense(10),
        ]
    )


def main():
    args = parse_args()
    os.makedirs(args.cache_dir, exist_ok=True)
    train = read_split(args, "train").shuffle(5000).batch(64)
    valid = read_split(args, "valid").batch(256).prefetch(tf.data.AUTOTUNE)

    rows = []
    for width, dropout, lr in itertools.product([16, 32], [0.0, 0.3], [1e-3, 3e-4]):
        model = build(args.side, width, dropout)
        loss = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
        model.compile(tf.keras.optimizers.Adam(lr), loss, metrics=["accuracy"])
        history = model.fit(train, validation_data=valid, epochs=args.epochs, verbose=0)
        rows.append([width, dropout, lr, max(history.history["val_accuracy"])])
        print(*rows[-1])

    with open(args.results, "w", newline="") as f:
        csv.writer(f).writerows([["width", "dropout", "lr", "val_accuracy"], *rows])


if __name__ == "__main__":
    main()
