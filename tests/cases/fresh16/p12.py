"""Sentence pairs for entailment, bucketed by length."""
from dataclasses import dataclass
from typing import Tuple

import tensorflow as tf


@dataclass(frozen=True)
class Buckets:
    edges: Tuple[int, ...] = (17, 33, 65, 129)
    tokens: int = 4096

    @property
    def sizes(self):
        widths = self.edges + (256,)
        return [max(8, self.tokens // w) for w in widths]


@dataclass(frozen=True)
class Job:
    vocab_file: str = "vocab.txt"
    train_file: str = "nli/train.tsv"
    buckets: Buckets = Buckets()
    epochs: int = 5


def lookup(path):
    init = tf.lookup.TextFileInitializer(
        path, tf.string, tf.lookup.TextFileIndex.WHOLE_LINE,
        tf.int64, tf.lookup.TextFileIndex.LINE_NUMBER)
    return tf.lookup.StaticVocabularyTable(init, num_oov_buckets=1)


class PairSource:
    def __init__(self, job):
        self.job = job
        self.table = lookup(job.vocab_file)

    def encode(self, line):
        parts = tf.strings.split(line, "\t")
        words = tf.strings.split(tf.strings.lower(parts[0] + " [SEP] " + parts[1]))
        ids = self.table.lookup(words)[:256] + 1
        return ids, tf.strings.to_number(parts[2], tf.int32)

    def dataset(self):
        b = self.job.buckets
        ds = tf.data.TextLineDataset(self.job.train_file).shuffle(50_000)
        ds = ds.map(self.encode, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.bucket_by_sequence_length(
            lambda ids, label: tf.shape(ids)[0],
            bucket_boundaries=list(b.edges),
            bucket_batch_sizes=b.sizes,
            padded_shapes=([None], []))
        return ds.prefetch(tf.data.AUTOTUNE)


def classifier(vocab):
    return tf.keras.Sequential([
        tf.keras.layers.Embedding(vocab, 128, mask_zero=True),
        tf.keras.layers.Bidirectional(tf.keras.layers.GRU(128)),
        tf.keras.layers.Dense(3),
    ])


if __name__ == "__main__":
    job = Job()
    source = PairSource(job)
    model = classifier(int(source.table.size()) + 2)
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(True), ["accuracy"])
    model.fit(source.dataset(), epochs=job.epochs)
