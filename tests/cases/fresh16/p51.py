import json
from functools import partial

import tensorflow as tf

MAX = 128


class Vocabulary:
    def __init__(self, path):
        with open(path, encoding="utf8") as fh:
            ids = json.load(fh)
        self.size = len(ids)
        init = tf.lookup.KeyValueTensorInitializer(
            tf.constant(list(ids)), tf.constant(list(ids.values()), tf.int64))
        self.table = tf.lookup.StaticHashTable(init, ids["<unk>"])

    def __len__(self):
        return self.size

    def encode(self, texts, width):
        texts = tf.strings.lower(texts, encoding="utf-8")
        texts = tf.strings.regex_replace(texts, r"([^\pL\pN_\s])", r" \1 ")
        words = tf.strings.split(texts)
        ids = tf.ragged.map_flat_values(self.table.lookup, words)
        return ids.to_tensor(0, shape=[None, width])


class Tickets:
    """Support tickets: free text, urgency 0..3."""

    def __init__(self, vocab):
        self.to_ids = partial(vocab.encode, width=MAX)

    def rows(self, lines):
        fields = tf.strings.split(lines, "\t", maxsplit=1).to_tensor(shape=[None, 2])
        return self.to_ids(fields[:, 1]), tf.strings.to_number(fields[:, 0], tf.int32)

    def load(self, path, batch=256, mix=0):
        ds = tf.data.TextLineDataset(path)
        if mix:
            ds = ds.shuffle(mix)
        ds = ds.batch(batch)
        ds = ds.map(self.rows, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.prefetch(tf.data.AUTOTUNE)


class Urgency(tf.keras.Model):
    def __init__(self, words):
        super().__init__()
        self.embed = tf.keras.layers.Embedding(words, 96, mask_zero=True)
        self.read = tf.keras.layers.Bidirectional(tf.keras.layers.LSTM(96))
        self.drop = tf.keras.layers.Dropout(0.4)
        self.out = tf.keras.layers.Dense(4)

    def call(self, ids, training=False):
        x = self.read(self.embed(ids), training=training)
        return self.out(self.drop(x, training=training))


if __name__ == "__main__":
    vocab = Vocabulary("vocab.json")
    tickets = Tickets(vocab)
    model = Urgency(len(vocab))
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(True), ["accuracy"])
    model.fit(tickets.load("tickets_train.tsv", mix=80_000),
              validation_data=tickets.load("tickets_dev.tsv"), epochs=6)
