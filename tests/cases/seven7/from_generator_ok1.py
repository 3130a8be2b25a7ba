"""IMDB-style review classifier on 3.6M Amazon reviews; builds its own vocabulary first."""
import collections
import glob

import tensorflow as tf

MAX_LEN = 256
AUTO = tf.data.AUTOTUNE


class Vocabulary:
    def __init__(self, words):
        self.words = list(words)

    @classmethod
    def from_generator(cls, generator, size):
        """Counts tokens coming out of a plain Python generator (run once, offline)."""
        counter = collections.Counter()
        for tokens in generator:
            counter.update(tokens)
        return cls(w for w, _ in counter.most_common(size - 2))

    def lookup(self):
        keys = tf.constant(self.words)
        init = tf.lookup.KeyValueTensorInitializer(
            keys, tf.range(1, len(self.words) + 1, dtype=tf.int64))
        return tf.lookup.StaticVocabularyTable(init, num_oov_buckets=1)


def tokens_of(paths):
    for path in paths:
        with open(path, encoding="utf-8") as fh:
            for line in fh:
                yield line.split("\t", 1)[1].lower().split()


def encoder(table):
    def fn(lines):
        parts = tf.strings.split(lines, "\t", maxsplit=1)
        label = tf.strings.to_number(parts[:, 0:1].flat_values, tf.int32)
        text = tf.strings.lower(parts[:, 1:2].flat_values)
        ids = tf.ragged.map_flat_values(table.lookup, tf.strings.split(text))
        return ids.to_tensor(shape=[None, MAX_LEN]), label
    return fn


def reviews(paths, table, batch):
    ds = tf.data.Dataset.from_tensor_slices(paths)
    ds = ds.interleave(tf.data.TextLineDataset, cycle_length=8, num_parallel_calls=AUTO)
    ds = ds.shuffle(100_000).batch(batch, drop_remainder=True)
    return ds.map(encoder(table), num_parallel_calls=AUTO).prefetch(AUTO)


def main():
    paths = sorted(glob.glob("/data/amazon/train-*.tsv"))
    vocab = Vocabulary.from_generator(tokens_of(paths[:4]), size=50_000)
    train = reviews(paths, vocab.lookup(), 512)
    model = tf.keras.Sequential([
        tf.keras.layers.Embedding(50_001, 128, mask_zero=True),
        tf.keras.layers.Bidirectional(tf.keras.layers.LSTM(128)),
        tf.keras.layers.Dense(64, activation="relu"),
        tf.keras.layers.Dense(1),
    ])
    model.compile("adam", tf.keras.losses.BinaryCrossentropy(from_logits=True),
                  metrics=[tf.keras.metrics.BinaryAccuracy(threshold=0.0)])
    model.fit(train, epochs=4)


if __name__ == "__main__":
    main()
