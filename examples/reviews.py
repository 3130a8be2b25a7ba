"""Classifies film reviews from CSV files, with a tokeniser written in Python."""

import random
import re

import numpy as np
import tensorflow as tf

VOCABULARY = {word: index for index, word in enumerate(["[unk]", "good", "bad", "film", "not"])}
LENGTH = 128


def tokenize(text):
    words = re.findall(r"\w+", text.decode().lower())[:LENGTH]
    ids = [VOCABULARY.get(word, 0) for word in words]
    return np.array(ids + [0] * (LENGTH - len(ids)), np.int32)


def parse_line(line):
    label, text = tf.io.decode_csv(line, [0, ""])
    return text, label


def to_ids(text, label):
    ids = tf.numpy_function(tokenize, [text], tf.int32)
    ids.set_shape([LENGTH])
    return ids, label


def drop_words(ids, label):
    if random.random() < 0.5:
        ids = tf.where(tf.random.uniform([LENGTH]) < 0.1, 0, ids)
    return ids, label


def reviews(paths):
    lines = tf.data.TextLineDataset(paths)
    return lines.map(parse_line).map(to_ids)


def split(dataset, validation_size):
    dataset = dataset.shuffle(10_000, seed=42)
    return dataset.skip(validation_size), dataset.take(validation_size)


def main():
    train, validation = split(reviews(tf.io.gfile.glob("reviews/*.csv")), validation_size=2_000)
    train = train.map(drop_words).repeat().batch(32).prefetch(tf.data.experimental.AUTOTUNE)
    validation = validation.batch(32).prefetch(tf.data.AUTOTUNE)

    model = tf.keras.Sequential(
        [
            tf.keras.layers.Embedding(len(VOCABULARY), 16),
            tf.keras.layers.GlobalAveragePooling1D(),
            tf.keras.layers.Dense(1, activation="sigmoid"),
        ]
    )
    model.compile(optimizer="adam", loss="binary_crossentropy")
    model.fit(train, validation_data=validation, epochs=5)


if __name__ == "__main__":
    main()
