import argparse

import tensorflow as tf


def options():
    parser = argparse.ArgumentParser()
    parser.add_argument("--records", default="/data/deepglobe/train-*.tfrecord")
    parser.add_argument("--epochs", type=int, default=70)
    parser.add_argument("--debug", action="store_true", help="run everything eagerly")
    return parser.parse_args()


class RoadModel(tf.keras.Sequential):
    def __init__(self):
        super().__init__([
            tf.keras.layers.Conv2D(64, 3, padding="same", activation="relu"),
            tf.keras.layers.Conv2D(64, 3, padding="same", activation="relu"),
            tf.keras.layers.Conv2D(1, 1, activation="sigmoid"),
        ])


def parse(record):
    ex = tf.io.parse_single_example(record, {
        "sat": tf.io.FixedLenFeature([], tf.string),
        "road": tf.io.FixedLenFeature([], tf.string),
    })
    sat = tf.image.resize(tf.io.decode_jpeg(ex["sat"], channels=3), [512, 512]) / 255.0
    road = tf.image.resize(tf.io.decode_png(ex["road"], channels=1), [512, 512]) / 255.0
    return sat, road


def data(pattern):
    ds = tf.data.Dataset.list_files(pattern)
    ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(1000).map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(8).prefetch(tf.data.AUTOTUNE)


def main():
    args = options()
    if args.debug:
        tf.config.run_functions_eagerly(True)
        tf.data.experimental.enable_debug_mode()
    model = RoadModel()
    model.compile("adam", "binary_crossentropy", run_eagerly=args.debug)
    model.fit(data(args.records), epochs=args.epochs)


if __name__ == "__main__":
    main()
