"""ImageNet ResNet-50 baseline. Usage: python train.py --root /data/imagenet"""
import argparse
import dataclasses
import glob
import os

import tensorflow as tf


@dataclasses.dataclass
class InputConfig:
    root: str
    batch_size: int = 256
    image_size: int = 224
    shuffle_buffer: int = 16384
    workers: int = tf.data.AUTOTUNE
    prefetch_batches: int = 0


@dataclasses.dataclass
class TrainConfig:
    epochs: int = 90
    lr: float = 0.1
    data: InputConfig = None


class ImageNetInput:
    FEATURES = {
        "image/encoded": tf.io.FixedLenFeature([], tf.string),
        "image/class/label": tf.io.FixedLenFeature([], tf.int64),
    }

    def __init__(self, cfg: InputConfig):
        self.cfg = cfg

    def _decode(self, raw):
        ex = tf.io.parse_single_example(raw, self.FEATURES)
        img = tf.io.decode_jpeg(ex["image/encoded"], channels=3)
        img = tf.image.resize(img, [self.cfg.image_size + 32, self.cfg.image_size + 32])
        img = tf.image.random_crop(img, [self.cfg.image_size, self.cfg.image_size, 3])
        img = tf.image.random_flip_left_right(img)
        return img / 127.5 - 1.0, tf.cast(ex["image/class/label"] - 1, tf.int32)

    def __call__(self, split):
        files = sorted(glob.glob(os.path.join(self.cfg.root, f"{split}-*-of-*")))
        ds = tf.data.Dataset.from_tensor_slices(files)
        ds = ds.shuffle(len(files))
        ds = ds.interleave(tf.data.TFRecordDataset, cycle_length=8,
                           num_parallel_calls=self.cfg.workers)
        ds = ds.shuffle(self.cfg.shuffle_buffer)
        ds = ds.map(self._decode, num_parallel_calls=self.cfg.workers)
        ds = ds.batch(self.cfg.batch_size, drop_remainder=True)
        if self.cfg.prefetch_batches > 0:
            ds = ds.prefetch(self.cfg.prefetch_batches)
        return ds


class Trainer:
    def __init__(self, cfg: TrainConfig):
        self.cfg = cfg
        self.input = ImageNetInput(cfg.data)
        self.model = tf.keras.applications.ResNet50(weights=None, classes=1000)
        self.model.compile(
            optimizer=tf.keras.optimizers.SGD(cfg.lr, momentum=0.9, nesterov=True),
            loss=tf.keras.losses.SparseCategoricalCrossentropy(),
            metrics=["accuracy"],
        )

    def run(self):
        train = self.input("train")
        self.model.fit(train, epochs=self.cfg.epochs)
        self.model.save_weights("resnet50.h5")


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--root", required=True)
    ap.add_argument("--epochs", type=int, default=90)
    ns = ap.parse_args()
    Trainer(TrainConfig(epochs=ns.epochs, data=InputConfig(root=ns.root))).run()
