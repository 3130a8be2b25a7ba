import argparse
from functools import partial

from keras import layers, models, utils
import tensorflow as tf


def parse_args():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", default="/data/leaf_disease")
    parser.add_argument("--size", type=int, default=256)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--epochs", type=int, default=15)
    return parser.parse_args()


class LeafData:
    def __init__(self, args):
        self.load = partial(
            utils.image_dataset_from_directory,
            args.data,
            validation_split=0.2,
            image_size=(args.size, args.size),
            batch_size=args.batch,
        )

    @property
    def train(self):
        return self.load(subset="training", seed=100).prefetch(tf.data.AUTOTUNE)

    @property
    def val(self):
        return self.load(subset="validation", seed=200).prefetch(tf.data.AUTOTUNE)


def build(size, classes=38):
    return models.Sequential([
        layers.Input((size, size, 3)),
        layers.Rescaling(1.0 / 255),
        layers.Conv2D(32, 3, strides=2, activation="relu"),
        layers.BatchNormalization(),
        layers.Conv2D(64, 3, strides=2, activation="relu"),
        layers.BatchNormalization(),
        layers.GlobalAveragePooling2D(),
        layers.Dense(classes, activation="softmax"),
    ])


def main():
    args = parse_args()
    data = LeafData(args)
    model = build(args.size)
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(data.train, validation_data=data.val, epochs=args.epochs)
    model.save("leaf.keras")


if __name__ == "__main__":
    main()
