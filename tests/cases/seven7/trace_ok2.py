"""Land cover segmentation with DeepLab-ish net; profiles part of the second epoch of model.fit."""
import argparse

import numpy as np
import tensorflow as tf

AUTO = tf.data.AUTOTUNE


class ProfileBatches(tf.keras.callbacks.Callback):
    """Like TensorBoard(profile_batch=...), without the rest of that callback."""

    def __init__(self, logdir, first=100, last=120, epoch=1):
        super().__init__()
        self.logdir, self.first, self.last, self.epoch = logdir, first, last, epoch
        self._now = -1

    def on_epoch_begin(self, epoch, logs=None):
        self._now = epoch

    def on_train_batch_begin(self, batch, logs=None):
        if self._now == self.epoch and batch == self.first:
            tf.profiler.experimental.start(self.logdir)

    def on_train_batch_end(self, batch, logs=None):
        if self._now == self.epoch and batch == self.last:
            tf.profiler.experimental.stop()


def parse(rec):
    ex = tf.io.parse_single_example(rec, {"rgb": tf.io.FixedLenFeature([], tf.string),
                                          "cls": tf.io.FixedLenFeature([], tf.string)})
    img = tf.io.decode_png(ex["rgb"], channels=3)
    lab = tf.io.decode_png(ex["cls"], channels=1)
    return (tf.cast(tf.ensure_shape(img, [512, 512, 3]), tf.float32) / 255.0,
            tf.ensure_shape(lab, [512, 512, 1]))


def tiles(pattern, batch, training):
    ds = tf.data.Dataset.list_files(pattern, shuffle=training)
    ds = ds.interleave(tf.data.TFRecordDataset, cycle_length=8, num_parallel_calls=AUTO)
    ds = ds.shuffle(1000) if training else ds
    ds = ds.map(parse, num_parallel_calls=AUTO)
    return ds.batch(batch, drop_remainder=training).prefetch(AUTO)


def deeplab(classes):
    base = tf.keras.applications.MobileNetV2(include_top=False, weights=None,
                                             input_shape=(512, 512, 3))
    x = base.get_layer("block_13_expand_relu").output
    pyramid = [tf.keras.layers.Conv2D(128, 3, padding="same", dilation_rate=r, activation="relu")(x)
               for r in (1, 6, 12)]
    x = tf.keras.layers.Concatenate()(pyramid)
    x = tf.keras.layers.Conv2D(classes, 1)(x)
    x = tf.keras.layers.UpSampling2D(16, interpolation="bilinear")(x)
    return tf.keras.Model(base.input, x)


def confusion(model, ds, classes):
    total = np.zeros((classes, classes), np.int64)
    for img, lab in ds:
        pred = tf.argmax(model(img, training=False), -1)
        total += tf.math.confusion_matrix(
            tf.reshape(lab, [-1]), tf.reshape(pred, [-1]), classes).numpy()
    return total


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--data", default="/data/landcover")
    ap.add_argument("--logdir", default="/logs/landcover")
    ap.add_argument("--classes", type=int, default=9)
    a = ap.parse_args()
    model = deeplab(a.classes)
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(tiles(f"{a.data}/train-*", 16, True), epochs=40,
              callbacks=[ProfileBatches(a.logdir)])
    cm = confusion(model, tiles(f"{a.data}/val-*", 16, False), a.classes)
    print("mIoU", np.mean(np.diag(cm) / (cm.sum(0) + cm.sum(1) - np.diag(cm) + 1e-9)))


if __name__ == "__main__":
    main()
