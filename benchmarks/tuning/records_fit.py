"""Two files of records that hold pictures: decoded, drawn, and given to `fit`."""

from __future__ import annotations

import tensorflow as tf
from data import picture_records

FEATURES = {"image": tf.io.FixedLenFeature([], tf.string), "label": tf.io.FixedLenFeature([], tf.int64)}


def decode(record: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    example = tf.io.parse_single_example(record, FEATURES)
    image = tf.image.resize(tf.io.decode_jpeg(example["image"], channels=3), [64, 64])
    return image / 255.0, example["label"]


dataset = tf.data.TFRecordDataset(picture_records(2, 400))
dataset = dataset.map(decode)
dataset = dataset.shuffle(200)
dataset = dataset.batch(32)

model = tf.keras.Sequential([tf.keras.layers.GlobalAveragePooling2D(), tf.keras.layers.Dense(5, activation="softmax")])
model.compile(loss="sparse_categorical_crossentropy")

if __name__ == "__main__":
    model.fit(dataset, epochs=5)
