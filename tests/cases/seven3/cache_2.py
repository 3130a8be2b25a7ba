import argparse

import keras
import tensorflow as tf
import tensorflow_datasets as tfds


def get_args():
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=30)
    p.add_argument("--batch", type=int, default=64)
    p.add_argument("--side", type=int, default=128)
    return p.parse_args()


def prepare(ds, side, batch, training):
    def shrink(image, label):
        image = tf.image.resize(image, (side, side), method="lanczos3", antialias=True)
        return tf.cast(tf.clip_by_value(image, 0, 255), tf.uint8), label

    ds = ds.cache()
    ds = ds.map(shrink, num_parallel_calls=tf.data.AUTOTUNE)
    if training:
        ds = ds.shuffle(4096)
    return ds.batch(batch).prefetch(tf.data.AUTOTUNE)


def main():
    args = get_args()
    (train, valid), info = tfds.load("oxford_flowers102", split=["train", "validation"],
                                     as_supervised=True, with_info=True)
    train = prepare(train, args.side, args.batch, True)
    valid = prepare(valid, args.side, args.batch, False)
    model = keras.Sequential([
        keras.Input((args.side, args.side, 3)),
        keras.layers.RandomFlip("horizontal"),
        keras.layers.Rescaling(1 / 255),
        keras.layers.SeparableConv2D(64, 3, activation="relu"),
        keras.layers.MaxPooling2D(),
        keras.layers.SeparableConv2D(128, 3, activation="relu"),
        keras.layers.GlobalAveragePooling2D(),
        keras.layers.Dense(info.features["label"].num_classes, activation="softmax"),
    ])
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(train, validation_data=valid, epochs=args.epochs)


if __name__ == "__main__":
    main()
