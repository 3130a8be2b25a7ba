import argparse

import tensorflow as tf


def parse_frame(record):
    ex = tf.io.parse_single_example(record, {
        "rgb": tf.io.FixedLenFeature([], tf.string),
        "depth": tf.io.FixedLenFeature([], tf.string),
        "steering": tf.io.FixedLenFeature([], tf.float32),
    })
    frame = {}
    frame["rgb"] = tf.io.decode_jpeg(ex["rgb"], channels=3)
    frame["depth"] = tf.io.decode_png(ex["depth"], channels=1, dtype=tf.uint16)
    frame["steering"] = ex["steering"]
    return frame


def to_supervised(frame):
    rgb = tf.image.resize(frame["rgb"], (120, 320)) / 127.5 - 1.0
    depth = tf.image.resize(frame["depth"], (120, 320)) / 65535.0
    return tf.concat([rgb, depth], axis=-1), frame["steering"]


def build(args):
    ds = tf.data.TFRecordDataset(
        tf.io.gfile.glob(args.records), num_parallel_reads=tf.data.AUTOTUNE)
    ds = ds.shuffle(4096)
    ds = ds.map(parse_frame, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.map(to_supervised, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(args.batch_size).prefetch(tf.data.AUTOTUNE)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--records", default="/data/drive/*.tfrecord")
    parser.add_argument("--batch-size", type=int, default=64)
    args = parser.parse_args()
    model = tf.keras.Sequential([
        tf.keras.layers.Conv2D(24, 5, strides=2, activation="relu"),
        tf.keras.layers.Conv2D(48, 5, strides=2, activation="relu"),
        tf.keras.layers.GlobalAveragePooling2D(),
        tf.keras.layers.Dense(1),
    ])
    model.compile("adam", "mse")
    model.fit(build(args), epochs=12)
