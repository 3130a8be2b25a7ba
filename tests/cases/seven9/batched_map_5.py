"""Word2vec-like fastText classifier on Amazon reviews with TextVectorization."""
import glob
import re
import string

import tensorflow as tf
from tensorflow.keras import layers

FILES = sorted(glob.glob('/data/amazon/train/part-*.tsv'))
VOCAB = 200_000
SEQ = 200
BATCH = 2048


def split_columns(line):
    cols = tf.strings.split(line, '\t', maxsplit=1)
    return cols[1], tf.strings.to_number(cols[0], tf.int32) - 1


def standardize(text, label):
    text = tf.strings.lower(text)
    text = tf.strings.regex_replace(text, '<br />', ' ')
    text = tf.strings.regex_replace(
        text, '[%s]' % re.escape(string.punctuation), '')
    return tf.strings.strip(text), label


class ReviewPipeline:
    parallel = tf.data.AUTOTUNE

    def __init__(self, files, vectorizer=None):
        self.files = files
        self.vectorizer = vectorizer

    def rows(self):
        ds = tf.data.Dataset.from_tensor_slices(self.files)
        ds = ds.interleave(tf.data.TextLineDataset, cycle_length=8,
                           num_parallel_calls=self.parallel)
        return ds.map(split_columns, num_parallel_calls=self.parallel)

    def batches(self):
        ds = self.rows().shuffle(200_000)
        ds = ds.map(standardize, num_parallel_calls=self.parallel)
        ds = ds.batch(BATCH)
        if self.vectorizer is not None:
            ds = ds.map(lambda t, y: (self.vectorizer(t), y),
                        num_parallel_calls=self.parallel)
        return ds.prefetch(self.parallel)


def main():
    vectorize = layers.TextVectorization(
        max_tokens=VOCAB, output_sequence_length=SEQ, standardize=None)
    raw = ReviewPipeline(FILES[:4])
    vectorize.adapt(raw.batches().map(lambda t, y: t))

    train = ReviewPipeline(FILES, vectorize).batches()
    model = tf.keras.Sequential([
        layers.Input((SEQ,), dtype=tf.int64),
        layers.Embedding(VOCAB, 128),
        layers.GlobalAveragePooling1D(),
        layers.Dense(128, activation='relu'),
        layers.Dense(5, activation='softmax')])
    model.compile('adam', 'sparse_categorical_crossentropy',
                  metrics=['accuracy'])
    model.fit(train, epochs=5)


if __name__ == '__main__':
    main()
