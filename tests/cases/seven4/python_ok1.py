import collections

import keras
import tensorflow as tf


class Vocabulary:
    """Words by frequency. No tf.py_function is needed to look them up: see `layer`."""

    def __init__(self, words):
        self.words = words

    @classmethod
    def from_generator(cls, sentences, size):
        counts = collections.Counter(word for sentence in sentences for word in sentence.lower().split())
        return cls([word for word, _ in counts.most_common(size)])

    def layer(self, length):
        return keras.layers.TextVectorization(
            vocabulary=self.words, standardize="lower", output_sequence_length=length)


def sentences(path):
    with open(path, encoding="utf-8") as handle:
        for line in handle:
            yield line.partition("\t")[2]


TRAIN = "/data/emotion/train.tsv"
vocabulary = Vocabulary.from_generator(sentences(TRAIN), 20_000)
vectorise = vocabulary.layer(64)


def unpack(lines):
    parts = tf.strings.split(lines, "\t", maxsplit=1).to_tensor(shape=(None, 2))
    return vectorise(parts[:, 1]), tf.strings.to_number(parts[:, 0], tf.int32)


train = tf.data.TextLineDataset(TRAIN).shuffle(100_000).batch(256)
train = train.map(unpack, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)

model = keras.Sequential([
    keras.Input((64,), dtype="int64"),
    keras.layers.Embedding(len(vocabulary.words) + 2, 128),
    keras.layers.Conv1D(256, 5, activation="relu"),
    keras.layers.GlobalMaxPooling1D(),
    keras.layers.Dense(6, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(train, epochs=25)
