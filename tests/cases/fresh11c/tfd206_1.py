"""Flowers loader."""
from dataclasses import dataclass

import tensorflow as tf


@dataclass
class AugmentConfig:
    seed: int = 1234
    max_delta: float = 0.2


class FlowerLoader:
    def __init__(self, pattern: str, batch_size: int, cfg: AugmentConfig):
        self.pattern = pattern
        self.batch_size = batch_size
        self.cfg = cfg
        self.op_seed = (cfg.seed, 0)

    def _decode(self, path, label):
        image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
        return tf.image.resize(image, (224, 224)) / 255.0, label

    def _augment(self, image, label):
        image = tf.image.stateless_random_flip_left_right(image, seed=self.op_seed)
        image = tf.image.stateless_random_brightness(
            image, self.cfg.max_delta, seed=self.op_seed)
        return tf.clip_by_value(image, 0.0, 1.0), label

    def build(self, paths, labels, training: bool) -> tf.data.Dataset:
        ds = tf.data.Dataset.from_tensor_slices((paths, labels))
        if training:
            ds = ds.shuffle(len(paths), reshuffle_each_iteration=True)
        ds = ds.map(self._decode, num_parallel_calls=tf.data.AUTOTUNE)
        if training:
            ds = ds.map(self._augment, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(self.batch_size).prefetch(tf.data.AUTOTUNE)
