"""Bird calls: spectrogram patches from .npy files, listed by a generator."""
import argparse
import pathlib
import random

import numpy as np
import tensorflow as tf


def make_generator(root, seed):
    files = sorted(pathlib.Path(root).glob("*/*.npy"))
    random.Random(seed).shuffle(files)
    species = sorted({f.parent.name for f in files})

    def generate():
        for file in files:
            yield np.load(file).astype("float32"), species.index(file.parent.name)

    return generate, len(files), len(species)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("root", nargs="?", default="data/birds")
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--batch", type=int, default=32)
    args = parser.parse_args()

    generate, total, classes = make_generator(args.root, args.seed)
    ds = tf.data.Dataset.from_generator(
        generate,
        output_signature=(tf.TensorSpec((64, 96), tf.float32), tf.TensorSpec((), tf.int32)),
    )
    n_valid = total // 10
    valid = ds.take(n_valid).batch(args.batch).prefetch(tf.data.AUTOTUNE)
    train = ds.skip(n_valid).shuffle(1024).batch(args.batch).prefetch(tf.data.AUTOTUNE)

    model = tf.keras.Sequential([
        tf.keras.layers.Conv1D(64, 5, activation="relu"),
        tf.keras.layers.GlobalMaxPooling1D(),
        tf.keras.layers.Dense(classes, activation="softmax"),
    ])
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(train, validation_data=valid, epochs=20)


if __name__ == "__main__":
    main()
