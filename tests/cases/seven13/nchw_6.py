"""Nightly batch scoring of product images on a CPU-only node."""
import argparse
import csv

import tensorflow as tf


class Scorer:
    def __init__(self, weights, layout="channels_first"):
        self.layout = layout
        self.net = self._build()
        self.net.load_weights(weights)

    def _stage(self, x, filters, stride):
        x = tf.keras.layers.Conv2D(filters, 3, strides=stride, padding="same",
                                   data_format=self.layout, activation="relu")(x)
        return tf.keras.layers.Conv2D(filters, 3, padding="same",
                                      data_format=self.layout, activation="relu")(x)

    def _build(self):
        shape = [3, 224, 224] if self.layout == "channels_first" else [224, 224, 3]
        inp = tf.keras.Input(shape)
        x = inp / 255.0
        for filters, stride in ((32, 2), (64, 2), (128, 2), (256, 2)):
            x = self._stage(x, filters, stride)
        x = tf.keras.layers.GlobalAveragePooling2D(data_format=self.layout)(x)
        return tf.keras.Model(inp, tf.keras.layers.Dense(1, activation="sigmoid")(x))

    def _read(self, path):
        img = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
        return path, tf.image.resize_with_pad(img, 224, 224)

    def _arrange(self, paths, images):
        if self.layout == "channels_first":
            images = tf.transpose(images, [0, 3, 1, 2])
        return paths, images

    def stream(self, pattern, batch):
        return (tf.data.Dataset.list_files(pattern, shuffle=False)
                .map(self._read, num_parallel_calls=tf.data.AUTOTUNE)
                .batch(batch)
                .map(self._arrange, num_parallel_calls=tf.data.AUTOTUNE)
                .prefetch(tf.data.AUTOTUNE))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--images", default="/mnt/catalog/*/*.jpg")
    ap.add_argument("--weights", default="/models/quality.weights.h5")
    ap.add_argument("--out", default="/mnt/scores.csv")
    args = ap.parse_args()
    tf.config.set_visible_devices([], "GPU")
    scorer = Scorer(args.weights)
    predict = tf.function(scorer.net)
    with open(args.out, "w", newline="") as f:
        writer = csv.writer(f)
        for paths, images in scorer.stream(args.images, 64):
            for p, s in zip(paths.numpy(), predict(images).numpy()[:, 0]):
                writer.writerow([p.decode(), f"{s:.5f}"])


if __name__ == "__main__":
    main()
