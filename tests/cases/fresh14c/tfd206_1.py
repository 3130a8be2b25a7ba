import argparse
from dataclasses import dataclass
from typing import Tuple

import tensorflow as tf


@dataclass(frozen=True)
class AugmentConfig:
    size: int = 224
    resize_to: int = 256
    hue_delta: float = 0.08
    seed: Tuple[int, int] = (2021, 0)


CFG = AugmentConfig()
CLASSES = ["healthy", "leaf_rust", "powdery_mildew", "septoria"]


def load(path):
    parts = tf.strings.split(path, "/")
    label = tf.argmax(tf.cast(parts[-2] == tf.constant(CLASSES), tf.int32))
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    image = tf.image.resize(image, [CFG.resize_to, CFG.resize_to])
    return tf.cast(image, tf.uint8), label


def augment(image, label):
    image = tf.image.stateless_random_crop(image, [CFG.size, CFG.size, 3], seed=CFG.seed)
    image = tf.image.stateless_random_flip_left_right(image, seed=CFG.seed)
    image = tf.image.stateless_random_hue(image, CFG.hue_delta, seed=CFG.seed)
    return image, label


def center(image, label):
    return tf.image.resize_with_crop_or_pad(image, CFG.size, CFG.size), label


def make_dataset(pattern, batch_size, training):
    ds = tf.data.Dataset.list_files(pattern, shuffle=training)
    ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE)
    if training:
        ds = ds.shuffle(2000)
        ds = ds.map(augment, num_parallel_calls=tf.data.AUTOTUNE)
    else:
        ds = ds.map(center, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


def build_model():
    inputs = tf.keras.Input((CFG.size, CFG.size, 3))
    x = tf.keras.layers.Rescaling(1.0 / 127.5, offset=-1.0)(inputs)
    base = tf.keras.applications.MobileNetV2(include_top=False, weights="imagenet", pooling="avg")
    base.trainable = False
    x = base(x, training=False)
    outputs = tf.keras.layers.Dense(len(CLASSES))(x)
    return tf.keras.Model(inputs, outputs)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--train", default="plants/train/*/*.jpg")
    parser.add_argument("--valid", default="plants/valid/*/*.jpg")
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--epochs", type=int, default=20)
    args = parser.parse_args()

    model = build_model()
    model.compile(
        optimizer="adam",
        loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"],
    )
    model.fit(
        make_dataset(args.train, args.batch_size, True),
        validation_data=make_dataset(args.valid, args.batch_size, False),
        epochs=args.epochs,
    )
    model.save("plants.keras")


if __name__ == "__main__":
    main()
