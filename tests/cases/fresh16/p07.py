"""Defect detection on PCB crops. Options come from the yaml of the experiment."""
import sys

import tensorflow as tf
import yaml

FALLBACK = {
    "data": {"pattern": "crops/*.tfrecord", "side": 128, "batch": 64},
    "fit": {"epochs": 30, "validation_split": 0.15, "verbose": 2},
    "optim": {"lr": 4e-4},
}


def read_config(argv):
    if len(argv) > 1:
        with open(argv[1]) as fh:
            return {**FALLBACK, **yaml.safe_load(fh)}
    return dict(FALLBACK)


def decode(blob, side):
    row = tf.io.parse_single_example(blob, {
        "png": tf.io.FixedLenFeature([], tf.string),
        "defect": tf.io.FixedLenFeature([], tf.int64),
    })
    image = tf.io.decode_png(row["png"], channels=3)
    image = tf.image.resize(image, [side, side]) / 255.0
    return image, row["defect"]


def crops(pattern, side, batch):
    files = tf.data.Dataset.list_files(pattern)
    records = files.interleave(tf.data.TFRecordDataset,
                               num_parallel_calls=tf.data.AUTOTUNE)
    return (records.shuffle(4096)
            .map(lambda b: decode(b, side), num_parallel_calls=tf.data.AUTOTUNE)
            .batch(batch)
            .prefetch(tf.data.AUTOTUNE))


class Experiment:
    def __init__(self, cfg):
        self.cfg = cfg
        self.model = tf.keras.applications.MobileNetV3Small(
            input_shape=(cfg["data"]["side"],) * 2 + (3,), weights=None, classes=2,
            include_preprocessing=False)
        self.model.compile(
            tf.keras.optimizers.Adam(cfg["optim"]["lr"]),
            "sparse_categorical_crossentropy", metrics=["accuracy"])

    def run(self):
        data = crops(**self.cfg["data"])
        stop = tf.keras.callbacks.EarlyStopping("val_loss", patience=4)
        options = dict(self.cfg["fit"], callbacks=[stop])
        return self.model.fit(data, **options)


if __name__ == "__main__":
    history = Experiment(read_config(sys.argv)).run()
    print(min(history.history["val_loss"]))
