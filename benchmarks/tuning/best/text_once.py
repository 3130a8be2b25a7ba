"""Lines of text, cleaned one by one, read once."""

from __future__ import annotations

import tensorflow as tf
from data import reviews


def clean(line: tf.Tensor) -> tf.Tensor:
    line = tf.strings.lower(line)
    line = tf.strings.regex_replace(line, "[0-9]+", " ")
    return tf.strings.strip(tf.strings.regex_replace(line, "[^a-z ]", ""))


dataset = tf.data.TextLineDataset(reviews(60_000))
dataset = dataset.filter(lambda line: tf.strings.length(line) > 0)
dataset = dataset.batch(64)
dataset = dataset.map(clean, num_parallel_calls=tf.data.AUTOTUNE)
dataset = dataset.prefetch(tf.data.AUTOTUNE)

if __name__ == "__main__":
    count = 0
    for batch in dataset:
        count += int(tf.size(batch))
