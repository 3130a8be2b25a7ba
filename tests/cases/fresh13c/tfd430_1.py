"""Image-to-rating model: helper module inlined, argparse entry point."""
import argparse
import csv

import tensorflow as tf


# -- imageio.py --
class ImageReader:
    def __init__(self, side):
        self.side = side

    def open(self, path):
        return tf.io.decode_image(tf.io.read_file(path), channels=3, expand_animations=False)

    def fit(self, image):
        return tf.image.resize_with_pad(image, self.side, self.side)

    def __call__(self, path):
        image = self.fit(self.open(path))
        return tf.image.convert_image_dtype(image, tf.float32)


# -- dataset.py --
def ratings(table, reader, batch, training):
    with open(table, newline="") as fh:
        rows = [(r["path"], float(r["rating"])) for r in csv.DictReader(fh)]
    paths, values = zip(*rows)
    ds = tf.data.Dataset.from_tensor_slices((list(paths), list(values)))
    if training:
        ds = ds.shuffle(len(rows))
    ds = ds.map(lambda p, v: (reader(p), v), num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch).prefetch(tf.data.AUTOTUNE)


# -- train.py --
def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--train", default="/data/ava/train.csv")
    ap.add_argument("--valid", default="/data/ava/valid.csv")
    ap.add_argument("--side", type=int, default=256)
    ap.add_argument("--batch", type=int, default=96)
    args = ap.parse_args()
    reader = ImageReader(args.side)
    model = tf.keras.Sequential([tf.keras.layers.Input((args.side, args.side, 3))])
    for width in (32, 64, 128, 256):
        model.add(tf.keras.layers.Conv2D(width, 3, strides=2, activation="relu"))
    model.add(tf.keras.layers.GlobalAveragePooling2D())
    model.add(tf.keras.layers.Dense(1))
    model.compile("adam", "huber", metrics=["mae"])
    model.fit(ratings(args.train, reader, args.batch, True),
              validation_data=ratings(args.valid, reader, args.batch, False), epochs=15)


if __name__ == "__main__":
    main()
