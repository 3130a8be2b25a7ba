"""Keras callback that profiles some steps of a U-Net training by hand."""
import argparse

import tensorflow as tf


class StepProfiler(tf.keras.callbacks.Callback):
    def __init__(self, logdir, first=30, count=6):
        super().__init__()
        self.logdir, self.first, self.last = logdir, first, first + count
        self.step = 0
        self.scope = None
        self.active = False

    def on_train_batch_begin(self, batch, logs=None):
        if self.step == self.first:
            tf.profiler.experimental.start(self.logdir)
            self.active = True
        if self.active:
            self.scope = tf.profiler.experimental.Trace("train", step_num=self.step)
            self.scope.__enter__()

    def on_train_batch_end(self, batch, logs=None):
        if self.scope is not None:
            self.scope.__exit__(None, None, None)
            self.scope = None
        self.step += 1
        if self.active and self.step == self.last:
            tf.profiler.experimental.stop()
            self.active = False

    def on_train_end(self, logs=None):
        if self.active:
            tf.profiler.experimental.stop()


def pairs(image_glob, batch):
    def load(path):
        image = tf.io.decode_png(tf.io.read_file(path), channels=3)
        mask = tf.io.decode_png(tf.io.read_file(tf.strings.regex_replace(path, "images", "masks")), channels=1)
        image = tf.image.resize(image, [256, 256]) / 255.0
        return image, tf.image.resize(mask, [256, 256], method="nearest")

    files = tf.io.gfile.glob(image_glob)
    ds = tf.data.Dataset.from_tensor_slices(files).shuffle(len(files))
    return ds.map(load, num_parallel_calls=tf.data.AUTOTUNE).batch(batch).prefetch(tf.data.AUTOTUNE)


def unet():
    inp = tf.keras.Input((256, 256, 3))
    a = tf.keras.layers.Conv2D(32, 3, padding="same", activation="relu")(inp)
    b = tf.keras.layers.Conv2D(64, 3, strides=2, padding="same", activation="relu")(a)
    c = tf.keras.layers.Conv2DTranspose(32, 3, strides=2, padding="same", activation="relu")(b)
    out = tf.keras.layers.Conv2D(21, 1)(tf.keras.layers.Concatenate()([a, c]))
    return tf.keras.Model(inp, out)


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--images", default="/data/voc/images/*.png")
    ap.add_argument("--logdir", default="/tmp/unet")
    args = ap.parse_args()
    model = unet()
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(pairs(args.images, 16), epochs=30, callbacks=[StepProfiler(args.logdir)])
