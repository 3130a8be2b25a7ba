from dataclasses import dataclass
from typing import Optional

import tensorflow as tf


@dataclass(frozen=True)
class InputConfig:
    pattern: str = "/data/landmarks/train-*.tfrecord"
    batch_size: int = 128
    image_size: int = 256
    shuffle_buffer: int = 10_000
    num_parallel_calls: Optional[int] = None
    readers: int = 16


class LandmarkInput:
    def __init__(self, config: InputConfig, is_training: bool):
        self.config = config
        self.is_training = is_training

    def decode(self, record):
        feats = tf.io.parse_single_example(record, {
            "image/encoded": tf.io.FixedLenFeature([], tf.string),
            "image/class": tf.io.FixedLenFeature([], tf.int64),
        })
        image = tf.io.decode_jpeg(feats["image/encoded"], channels=3)
        image = tf.image.resize(image, [self.config.image_size, self.config.image_size])
        if self.is_training:
            image = tf.image.random_flip_left_right(image)
        return image / 255.0, feats["image/class"]

    def build(self):
        cfg = self.config
        ds = tf.data.Dataset.list_files(cfg.pattern, shuffle=self.is_training)
        ds = ds.interleave(
            tf.data.TFRecordDataset, cycle_length=cfg.readers, num_parallel_calls=cfg.readers
        )
        if self.is_training:
            ds = ds.shuffle(cfg.shuffle_buffer)
        ds = ds.map(self.decode, num_parallel_calls=cfg.num_parallel_calls)
        ds = ds.batch(cfg.batch_size, drop_remainder=self.is_training)
        return ds.prefetch(tf.data.AUTOTUNE)


def main():
    train = LandmarkInput(InputConfig(), True).build()
    model = tf.keras.applications.ResNet50V2(weights=None, input_shape=(256, 256, 3), classes=2000)
    model.compile(tf.keras.optimizers.Adam(1e-3), "sparse_categorical_crossentropy")
    model.fit(train, epochs=20)


if __name__ == "__main__":
    main()
