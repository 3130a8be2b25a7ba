"""Waste sorting: transfer learning with a registry of backbones."""
import argparse

import tensorflow as tf
from tensorflow.keras import applications

BACKBONES = {
    "s": (applications.EfficientNetV2S, 384),
    "m": (applications.EfficientNetV2M, 480),
}


def parse(record, side):
    ex = tf.io.parse_single_example(record, {
        "jpeg": tf.io.FixedLenFeature([], tf.string),
        "bin": tf.io.FixedLenFeature([], tf.int64),
    })
    img = tf.io.decode_jpeg(ex["jpeg"], channels=3)
    img = tf.image.convert_image_dtype(img, tf.float32)
    return tf.image.resize(img, (side, side)), ex["bin"]


def records(pattern, side, batch, training):
    ds = tf.data.Dataset.list_files(pattern, shuffle=training)
    ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE,
                       deterministic=not training)
    if training:
        ds = ds.shuffle(4000)
    ds = ds.map(lambda r: parse(r, side), num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch, drop_remainder=training).prefetch(tf.data.AUTOTUNE)


def make_model(variant, n):
    ctor, side = BACKBONES[variant]
    base = ctor(include_top=False, weights="imagenet", input_shape=(side, side, 3), pooling="avg")
    base.trainable = False
    out = tf.keras.layers.Dense(n)(tf.keras.layers.Dropout(0.3)(base.output))
    return tf.keras.Model(base.input, out), side


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--variant", choices=BACKBONES, default="s")
    p.add_argument("--batch", type=int, default=64)
    a = p.parse_args()
    model, side = make_model(a.variant, 12)
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
                  metrics=["accuracy"])
    model.fit(records("/data/waste/train-*", side, a.batch, True),
              validation_data=records("/data/waste/val-*", side, a.batch, False), epochs=10)
