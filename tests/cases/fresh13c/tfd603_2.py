"""Keras training with a callback for fine-grained convergence plots."""
import csv

import numpy as np
import tensorflow as tf


class BatchHistory(tf.keras.callbacks.Callback):
    def __init__(self, path):
        super().__init__()
        self.handle = open(path, "w", newline="")
        self.rows = csv.writer(self.handle)
        self.rows.writerow(["step", "loss", "head_norm"])
        self.step = 0

    def on_train_batch_end(self, batch, logs=None):
        head = self.model.layers[-1].kernel
        norm = np.linalg.norm(head.numpy())
        self.rows.writerow([self.step, logs["loss"], norm])
        self.handle.flush()
        self.step += 1

    def on_train_end(self, logs=None):
        self.handle.close()


class Histology:
    def __init__(self, pattern, batch=192):
        self.pattern, self.batch = pattern, batch

    def parse(self, raw):
        ex = tf.io.parse_single_example(raw, {"png": tf.io.FixedLenFeature([], tf.string),
                                              "tumour": tf.io.FixedLenFeature([], tf.int64)})
        image = tf.ensure_shape(tf.io.decode_png(ex["png"], channels=3), [96, 96, 3])
        return tf.cast(image, tf.float32) / 255.0, ex["tumour"]

    def dataset(self):
        ds = tf.data.Dataset.list_files(self.pattern)
        ds = ds.interleave(tf.data.TFRecordDataset, cycle_length=8, num_parallel_calls=tf.data.AUTOTUNE,
                           deterministic=False)
        ds = ds.shuffle(10_000).map(self.parse, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(self.batch).prefetch(tf.data.AUTOTUNE)


def main():
    model = tf.keras.Sequential([
        tf.keras.layers.Input((96, 96, 3)),
        tf.keras.layers.Conv2D(64, 3, strides=2, activation="relu"),
        tf.keras.layers.Conv2D(128, 3, strides=2, activation="relu"),
        tf.keras.layers.Conv2D(256, 3, strides=2, activation="relu"),
        tf.keras.layers.GlobalAveragePooling2D(),
        tf.keras.layers.Dense(1, activation="sigmoid"),
    ])
    model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
    model.fit(Histology("/data/pcam/train-*.tfrecord").dataset(), epochs=20,
              callbacks=[BatchHistory("/logs/pcam.csv")])


if __name__ == "__main__":
    main()
