"""Lines of text with a label, split into words that are looked up, for `fit`."""

from __future__ import annotations

import tensorflow as tf
from data import WORDS, reviews

table = tf.lookup.StaticHashTable(
    tf.lookup.KeyValueTensorInitializer(tf.constant(WORDS), tf.range(1, len(WORDS) + 1)), default_value=0
)


def encode(line: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    parts = tf.strings.split(line, "\t")
    text = tf.strings.regex_replace(tf.strings.lower(parts[1]), "[^a-z ]", "")
    return table.lookup(tf.strings.split(text)), tf.strings.to_number(parts[0], tf.int32)


dataset = tf.data.TextLineDataset(reviews(4_000))
dataset = dataset.map(encode, num_parallel_calls=tf.data.AUTOTUNE)
dataset = dataset.padded_batch(32)
dataset = dataset.cache()
dataset = dataset.prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential(
    [
        tf.keras.layers.Embedding(len(WORDS) + 1, 8),
        tf.keras.layers.GlobalAveragePooling1D(),
        tf.keras.layers.Dense(2, activation="softmax"),
    ]
)
model.compile(loss="sparse_categorical_crossentropy")

if __name__ == "__main__":
    model.fit(dataset, epochs=5)
