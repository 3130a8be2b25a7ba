#!/usr/bin/env python
import argparse
import glob
import os

import tensorflow as tf


def get_args():
    parser = argparse.ArgumentParser(description="Train a road segmentation network.")
    parser.add_argument("data_dir")
    parser.add_argument("--height", type=int, default=288)
    parser.add_argument("--width", type=int, default=512)
    parser.add_argument("--batch-size", type=int, default=8)
    parser.add_argument("--epochs", type=int, default=60)
    parser.add_argument("--output", default="road_seg")
    return parser.parse_args()


def image_loader(height, width):
    def load(path):
        image = tf.io.decode_png(tf.io.read_file(path), channels=3)
        return tf.image.resize(tf.image.convert_image_dtype(image, tf.float32), (height, width))

    return load


def mask_loader(height, width):
    def load(path):
        mask = tf.io.decode_png(tf.io.read_file(path), channels=1)
        mask = tf.image.resize(mask, (height, width), method=tf.image.ResizeMethod.NEAREST_NEIGHBOR)
        return tf.cast(tf.equal(mask, 255), tf.int32)

    return load


def conv_block(x, filters):
    for _ in range(2):
        x = tf.keras.layers.Conv2D(filters, 3, padding="same", use_bias=False)(x)
        x = tf.keras.layers.BatchNormalization()(x)
        x = tf.keras.layers.ReLU()(x)
    return x


def build_unet(height, width):
    inputs = tf.keras.Input((height, width, 3))
    skips, x = [], inputs
    for filters in (32, 64, 128):
        x = conv_block(x, filters)
        skips.append(x)
        x = tf.keras.layers.MaxPooling2D()(x)
    x = conv_block(x, 256)
    for filters, skip in zip((128, 64, 32), reversed(skips)):
        x = tf.keras.layers.Conv2DTranspose(filters, 2, strides=2)(x)
        x = conv_block(tf.keras.layers.Concatenate()([x, skip]), filters)
    return tf.keras.Model(inputs, tf.keras.layers.Conv2D(2, 1)(x))


def main():
    args = get_args()
    image_paths = sorted(glob.glob(os.path.join(args.data_dir, "image", "*.png")))
    mask_paths = sorted(glob.glob(os.path.join(args.data_dir, "label", "*.png")))
    assert len(image_paths) == len(mask_paths)

    images = tf.data.Dataset.from_tensor_slices(image_paths).map(image_loader(args.height, args.width))
    masks = tf.data.Dataset.from_tensor_slices(mask_paths).map(mask_loader(args.height, args.width))
    dataset = tf.data.Dataset.zip((images, masks)).shuffle(200).batch(args.batch_size)

    model = build_unet(args.height, args.width)
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(dataset, epochs=args.epochs, callbacks=[tf.keras.callbacks.ModelCheckpoint(args.output)])


if __name__ == "__main__":
    main()
