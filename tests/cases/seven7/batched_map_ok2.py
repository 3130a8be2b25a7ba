"""Quick, Draw! bitmaps (50M drawings, 345 classes) with a small ConvNet."""
import functools
import glob

import numpy as np
import tensorflow as tf
from absl import app, flags

flags.DEFINE_string("root", "/data/quickdraw/npy", "one .npy per class")
flags.DEFINE_integer("per_class", 70_000, "drawings per class")
flags.DEFINE_integer("batch", 1024, "batch size")
FLAGS = flags.FLAGS


def load(root, per_class):
    xs, ys = [], []
    for label, path in enumerate(sorted(glob.glob(f"{root}/*.npy"))):
        x = np.load(path, mmap_mode="r")[:per_class]
        xs.append(x)
        ys.append(np.full(len(x), label, np.int32))
    return np.concatenate(xs), np.concatenate(ys)


def to_image(flat, label, classes):
    img = tf.reshape(tf.cast(flat, tf.float32) / 255.0, [-1, 28, 28, 1])
    return img, tf.one_hot(label, classes)


def recipe(batch, classes):
    scale = functools.partial(to_image, classes=classes)
    return [
        ("shuffle", (1_000_000,), {}),
        ("batch", (batch,), {"drop_remainder": True}),
        ("map", (scale,), {"num_parallel_calls": tf.data.AUTOTUNE}),
        ("prefetch", (tf.data.AUTOTUNE,), {}),
    ]


def cook(ds, steps):
    for method, args, kwargs in steps:
        ds = getattr(ds, method)(*args, **kwargs)
    return ds


class SaveBest(tf.keras.callbacks.Callback):
    def __init__(self, path):
        super().__init__()
        self.path, self.best = path, float("inf")

    def on_epoch_end(self, epoch, logs=None):
        if logs and logs["loss"] < self.best:
            self.best = logs["loss"]
            self.model.save_weights(self.path)


def main(_):
    x, y = load(FLAGS.root, FLAGS.per_class)
    classes = int(y.max()) + 1
    order = np.random.default_rng(0).permutation(len(y))
    ds = tf.data.Dataset.from_tensor_slices((x[order], y[order]))
    train = cook(ds, recipe(FLAGS.batch, classes))
    model = tf.keras.Sequential([
        tf.keras.Input([28, 28, 1]),
        tf.keras.layers.Conv2D(32, 3, activation="relu"),
        tf.keras.layers.Conv2D(64, 3, strides=2, activation="relu"),
        tf.keras.layers.Conv2D(128, 3, strides=2, activation="relu"),
        tf.keras.layers.Flatten(),
        tf.keras.layers.Dense(512, activation="relu"),
        tf.keras.layers.Dense(classes, activation="softmax"),
    ])
    model.compile("adam", "categorical_crossentropy", metrics=["accuracy"])
    model.fit(train, epochs=10, callbacks=[SaveBest("quickdraw.weights.h5")])


if __name__ == "__main__":
    app.run(main)
