"""What Keras makes of a folder for each class, scaled, in a loop over epochs."""

from __future__ import annotations

import tensorflow as tf
from data import classes

dataset = tf.keras.utils.image_dataset_from_directory(
    classes(3, 80), image_size=(96, 96), batch_size=16, shuffle=False, verbose=False
)
dataset = dataset.map(lambda images, labels: (images / 255.0, labels), num_parallel_calls=tf.data.AUTOTUNE)
dataset = dataset.cache()
dataset = dataset.prefetch(tf.data.AUTOTUNE)

if __name__ == "__main__":
    for _ in range(5):
        for images, _ in dataset:
            tf.reduce_mean(images)
