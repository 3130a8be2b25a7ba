"""Crack detection with a choice of augmentation strategies."""
from typing import Protocol

import albumentations as A
import numpy as np
import tensorflow as tf


class Augmenter(Protocol):
    def __call__(self, image: tf.Tensor, mask: tf.Tensor): ...


class Plain:
    def __call__(self, image, mask):
        return image, mask


class Albu:
    def __init__(self, *transforms):
        self.compose = A.Compose(list(transforms))

    def _numpy(self, image, mask):
        out = self.compose(image=image, mask=mask)
        return out["image"].astype(np.uint8), out["mask"].astype(np.uint8)

    def __call__(self, image, mask):
        image, mask = tf.numpy_function(self._numpy, [image, mask], [tf.uint8, tf.uint8])
        image.set_shape([512, 512, 3])
        mask.set_shape([512, 512, 1])
        return image, mask


STRATEGIES = {
    "none": Plain,
    "heavy": lambda: Albu(A.ElasticTransform(p=0.5), A.RandomRotate90(), A.CLAHE(p=0.3)),
}


def decode(record):
    row = tf.io.parse_single_example(record, {
        "image": tf.io.FixedLenFeature([], tf.string),
        "mask": tf.io.FixedLenFeature([], tf.string)})
    return (tf.ensure_shape(tf.io.decode_png(row["image"], 3), [512, 512, 3]),
            tf.ensure_shape(tf.io.decode_png(row["mask"], 1), [512, 512, 1]))


def dataset(pattern, augmenter: Augmenter, batch_size=24):
    ds = tf.data.Dataset.list_files(pattern, shuffle=True).interleave(
        tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
    ds = ds.shuffle(4_000)
    for fn in (decode, augmenter):
        ds = ds.map(fn, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def main(strategy="heavy"):
    train = dataset("/data/cracks/train-*.tfrecord", STRATEGIES[strategy]())
    model = tf.keras.Sequential([
        tf.keras.layers.Rescaling(1 / 255),
        tf.keras.layers.Conv2D(32, 3, padding="same", activation="relu"),
        tf.keras.layers.Conv2D(32, 3, padding="same", activation="relu"),
        tf.keras.layers.Conv2D(1, 1, activation="sigmoid"),
    ])
    model.compile("adam", "binary_crossentropy")
    model.fit(train, epochs=30)


if __name__ == "__main__":
    main()
