"""Road segmentation: image/mask pairs, a small U-Net and a held-out part."""
import argparse
import pathlib
import random

import tensorflow as tf


class PairLister:
    """Gives (image, mask) paths; called once for every pass over the data."""

    def __init__(self, root):
        root = pathlib.Path(root)
        self.pairs = [(str(p), str(root / "masks" / p.name)) for p in sorted((root / "images").glob("*.png"))]

    def __len__(self):
        return len(self.pairs)

    def __call__(self):
        random.shuffle(self.pairs)
        for image, mask in self.pairs:
            yield image, mask


def load(image, mask):
    image = tf.io.decode_png(tf.io.read_file(image), channels=3)
    mask = tf.io.decode_png(tf.io.read_file(mask), channels=1)
    road = tf.cast(mask > 127, tf.float32)
    return tf.ensure_shape(image, (128, 128, 3)), tf.ensure_shape(road, (128, 128, 1))


def build():
    inputs = tf.keras.Input((128, 128, 3))
    x = tf.keras.layers.Rescaling(1 / 255.0)(inputs)
    for width in (16, 32, 16):
        x = tf.keras.layers.Conv2D(width, 3, padding="same", activation="relu")(x)
    return tf.keras.Model(inputs, tf.keras.layers.Conv2D(1, 1, activation="sigmoid")(x))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", default="data/roads")
    parser.add_argument("--valid", type=float, default=0.2)
    parser.add_argument("--epochs", type=int, default=40)
    args = parser.parse_args()

    lister = PairLister(args.root)
    held_out = int(len(lister) * args.valid)
    signature = (tf.TensorSpec((), tf.string), tf.TensorSpec((), tf.string))
    pairs = tf.data.Dataset.from_generator(lister, output_signature=signature)
    valid = pairs.take(held_out)
    train = pairs.skip(held_out)
    train = train.map(load, num_parallel_calls=tf.data.AUTOTUNE).batch(16).prefetch(tf.data.AUTOTUNE)
    valid = valid.map(load, num_parallel_calls=tf.data.AUTOTUNE).batch(16).prefetch(tf.data.AUTOTUNE)

    model = build()
    model.compile("adam", "binary_crossentropy", metrics=[tf.keras.metrics.BinaryIoU([1])])
    model.fit(train, validation_data=valid, epochs=args.epochs)
