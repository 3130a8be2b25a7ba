import argparse

import numpy as np
import tensorflow as tf


def windowed(features, args):
    ds = tf.data.Dataset.from_tensor_slices(features)
    return (
        ds.window(args.window, shift=args.shift, drop_remainder=True)
        .shuffle(args.buffer)
        .batch(args.batch_size, drop_remainder=True)
        .prefetch(tf.data.AUTOTUNE)
    )


def autoencoder(window, channels):
    inputs = tf.keras.Input((window, channels))
    h = tf.keras.layers.Conv1D(32, 7, strides=2, padding="same", activation="relu")(inputs)
    h = tf.keras.layers.Conv1DTranspose(32, 7, strides=2, padding="same", activation="relu")(h)
    outputs = tf.keras.layers.Conv1D(channels, 3, padding="same")(h)
    return tf.keras.Model(inputs, outputs)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--window", type=int, default=256)
    parser.add_argument("--shift", type=int, default=16)
    parser.add_argument("--buffer", type=int, default=5000)
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--signal", default="/data/ecg/train.npy")
    args = parser.parse_args()

    signal = np.load(args.signal).astype("float32")
    train = windowed(signal, args)
    model = autoencoder(args.window, signal.shape[-1])
    model.compile("adam", "mse")
    model.fit(tf.data.Dataset.zip((train, train)), epochs=30)


if __name__ == "__main__":
    main()
