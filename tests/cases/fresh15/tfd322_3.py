import argparse
import json

import numpy as np
import tensorflow as tf
from PIL import Image
from tqdm import tqdm


def open_rgb(path, side):
    with Image.open(path) as img:
        return np.asarray(img.convert("RGB").resize((side, side), Image.BILINEAR), np.uint8)


def open_mask(path, side):
    with Image.open(path) as img:
        return np.asarray(img.resize((side, side), Image.NEAREST), np.uint8)


def materialize(entries, side):
    n = len(entries)
    photos = np.zeros((n, side, side, 3), np.uint8)
    masks = np.zeros((n, side, side), np.uint8)
    for i in tqdm(range(n)):
        photos[i] = open_rgb(entries[i]["photo"], side)
        masks[i] = open_mask(entries[i]["mask"], side)
    return photos, masks


def to_float(photo, mask):
    return tf.image.convert_image_dtype(photo, tf.float32), tf.cast(mask, tf.int32)


def build(index, side, batch_size):
    with open(index) as handle:
        entries = json.load(handle)
    photos, masks = materialize(entries, side)
    ds = tf.data.Dataset.from_tensor_slices((photos, masks))
    ds = ds.shuffle(len(entries)).repeat()
    ds = ds.batch(batch_size, drop_remainder=True)
    ds = ds.map(to_float, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE), len(entries) // batch_size


def segmenter(side, classes):
    layers = tf.keras.layers
    base = tf.keras.applications.MobileNetV2((side, side, 3), include_top=False)
    x = base.output
    for width in (256, 128, 64, 32):
        x = layers.Conv2DTranspose(width, 3, strides=2, padding="same", activation="relu")(x)
    x = layers.Conv2DTranspose(classes, 3, strides=2, padding="same")(x)
    return tf.keras.Model(base.input, x)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--index", default="/data/streets/train.json")
    p.add_argument("--side", type=int, default=256)
    p.add_argument("--batch", type=int, default=16)
    p.add_argument("--classes", type=int, default=19)
    args = p.parse_args()

    ds, steps = build(args.index, args.side, args.batch)
    model = segmenter(args.side, args.classes)
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(ds, epochs=50, steps_per_epoch=steps)


if __name__ == "__main__":
    main()
