import os
from dataclasses import dataclass

import tensorflow as tf


@dataclass
class LeafConfig:
    pattern: str = "/data/leaves/train-*.tfrecord"
    size: int = 224
    batch: int = 64
    classes: int = 38
    epochs: int = 12


class RecordInput:
    features = {
        "image": tf.io.FixedLenFeature([], tf.string),
        "label": tf.io.FixedLenFeature([], tf.int64),
    }

    def __init__(self, cfg):
        self.cfg = cfg

    def decode(self, raw):
        ex = tf.io.parse_single_example(raw, self.features)
        img = tf.io.decode_jpeg(ex["image"], channels=3)
        img = tf.image.resize(img, [self.cfg.size, self.cfg.size])
        return img, ex["label"]

    def finish(self, ds):
        raise NotImplementedError

    def build(self):
        files = tf.data.Dataset.list_files(self.cfg.pattern, shuffle=True)
        ds = files.interleave(
            tf.data.TFRecordDataset,
            cycle_length=8,
            num_parallel_calls=tf.data.AUTOTUNE,
        )
        ds = ds.map(self.decode, num_parallel_calls=tf.data.AUTOTUNE)
        return self.finish(ds)


class TrainInput(RecordInput):
    def finish(self, ds):
        ds = ds.shuffle(4096)
        return ds.batch(self.cfg.batch, drop_remainder=True)


def make_model(cfg):
    base = tf.keras.applications.MobileNetV2(
        input_shape=(cfg.size, cfg.size, 3), include_top=False, weights=None, pooling="avg")
    return tf.keras.Sequential([
        tf.keras.layers.experimental.preprocessing.Rescaling(1 / 127.5, offset=-1),
        base,
        tf.keras.layers.Dense(cfg.classes),
    ])


if __name__ == "__main__":
    cfg = LeafConfig(pattern=os.environ.get("LEAVES", LeafConfig.pattern))
    train = TrainInput(cfg).build()
    model = make_model(cfg)
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), ["accuracy"])
    model.fit(train, epochs=cfg.epochs)
