import argparse
from functools import partial

import tensorflow as tf


def decode(rec, size):
    ex = tf.io.parse_single_example(rec, {
        "frame": tf.io.FixedLenFeature([], tf.string),
        "steer": tf.io.FixedLenFeature([], tf.float32),
    })
    img = tf.io.decode_png(ex["frame"], channels=3)
    img = tf.image.crop_to_bounding_box(img, 200, 0, 240, 640)
    img = tf.image.rgb_to_hsv(tf.image.resize(img, size) / 255.0)
    return img, ex["steer"]


def get_data(args):
    ds = tf.data.TFRecordDataset(tf.io.gfile.glob(args.data), num_parallel_reads=tf.data.AUTOTUNE)
    if args.cache:
        ds = ds.cache()
    ds = ds.shuffle(args.buffer)
    ds = ds.map(partial(decode, size=(66, 200)), num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(args.batch).prefetch(tf.data.AUTOTUNE)


def parse_args():
    p = argparse.ArgumentParser()
    p.add_argument("--data", default="/data/drive/*.tfrecord")
    p.add_argument("--cache", action="store_true", default=True)
    p.add_argument("--buffer", type=int, default=4096)
    p.add_argument("--batch", type=int, default=128)
    p.add_argument("--epochs", type=int, default=60)
    return p.parse_args()


if __name__ == "__main__":
    args = parse_args()
    pilot = tf.keras.Sequential([
        tf.keras.layers.Conv2D(24, 5, strides=2, activation="elu"),
        tf.keras.layers.Conv2D(36, 5, strides=2, activation="elu"),
        tf.keras.layers.Flatten(),
        tf.keras.layers.Dense(1),
    ])
    pilot.compile("adam", "mse")
    pilot.fit(get_data(args), epochs=args.epochs)
