"""Multilingual intent model with temperature sampling over the languages."""
import glob
import os

import numpy as np
import tensorflow as tf
from tensorflow.data.experimental import bucket_by_sequence_length, sample_from_datasets

LANGS = ("de", "en", "fi", "tr")
VOCAB, INTENTS = 48_000, 60
BOUNDARIES = [16, 32, 64]


def parse(record):
    ex = tf.io.parse_single_example(
        record,
        {
            "ids": tf.io.RaggedFeature(tf.int64),
            "intent": tf.io.FixedLenFeature([], tf.int64),
        },
    )
    return ex["ids"][:128], ex["intent"]


def language(root, lang):
    files = glob.glob(os.path.join(root, lang, "*.tfrecord"))
    ds = tf.data.Dataset.from_tensor_slices(files).shuffle(len(files))
    ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(20_000).repeat()
    return ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)


def mixture(root, sizes, temperature=0.5):
    weights = np.asarray([sizes[lang] for lang in LANGS], np.float64) ** temperature
    weights /= weights.sum()
    ds = sample_from_datasets([language(root, lang) for lang in LANGS], weights)
    grouping = bucket_by_sequence_length(
        element_length_func=lambda ids, intent: tf.size(ids),
        bucket_boundaries=BOUNDARIES,
        bucket_batch_sizes=[256, 128, 64, 32],
        drop_remainder=True,
    )
    return ds.apply(grouping).prefetch(tf.data.AUTOTUNE)


def main():
    sizes = {"de": 80_000, "en": 400_000, "fi": 12_000, "tr": 30_000}
    model = tf.keras.Sequential(
        [
            tf.keras.layers.Embedding(VOCAB, 128, mask_zero=True),
            tf.keras.layers.Bidirectional(tf.keras.layers.LSTM(128)),
            tf.keras.layers.Dense(INTENTS, activation="softmax"),
        ]
    )
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(mixture("/data/intents", sizes), epochs=20, steps_per_epoch=2000)


if __name__ == "__main__":
    main()
