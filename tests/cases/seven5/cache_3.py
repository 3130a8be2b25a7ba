"""Skin lesions, HAM10000."""
import argparse

import pandas as pd
import tensorflow as tf
import keras


def preprocess(path, label, size, training):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    if training:
        image = tf.image.resize(image, (size + 24, size + 24))
        image = tf.image.random_crop(image, (size, size, 3))
        image = tf.image.random_flip_left_right(image)
        image = tf.image.random_hue(image / 255.0, 0.05) * 255.0
    else:
        image = tf.image.resize(image, (size, size))
    return image, label


def dataset(frame, args, training):
    ds = tf.data.Dataset.from_tensor_slices(
        (frame["path"].to_numpy(), frame["dx"].cat.codes.to_numpy()))
    ds = ds.map(
        lambda p, y: preprocess(p, y, args.size, training),
        num_parallel_calls=tf.data.AUTOTUNE,
    )
    ds = ds.cache()
    if training:
        ds = ds.shuffle(len(frame))
    return ds.batch(args.batch_size).prefetch(tf.data.AUTOTUNE)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--meta", default="/data/ham10000/metadata.csv")
    parser.add_argument("--size", type=int, default=128)
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--epochs", type=int, default=60)
    args = parser.parse_args()

    frame = pd.read_csv(args.meta, dtype={"dx": "category"}).sample(frac=1.0, random_state=3)
    train, valid = frame[:8500], frame[8500:]
    model = keras.applications.EfficientNetV2B0(
        weights=None, input_shape=(args.size, args.size, 3), classes=7)
    model.compile(keras.optimizers.Adam(1e-3), "sparse_categorical_crossentropy", ["accuracy"])
    model.fit(
        dataset(train, args, True),
        validation_data=dataset(valid, args, False),
        epochs=args.epochs,
    )


if __name__ == "__main__":
    main()
