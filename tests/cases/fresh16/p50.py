import json
import re
from functools import partial

import tensorflow as tf

MAX = 128
PATTERN = re.compile(r"\w+|[^\w\s]")


class Vocabulary:
    def __init__(self, path):
        with open(path, encoding="utf8") as fh:
            self.ids = json.load(fh)
        self.unknown = self.ids["<unk>"]

    def __len__(self):
        return len(self.ids)

    def encode(self, text):
        words = PATTERN.findall(text.numpy().decode("utf8").lower())[:MAX]
        ids = [self.ids.get(w, self.unknown) for w in words]
        return tf.constant(ids + [0] * (MAX - len(ids)), tf.int32)


class Tickets:
    """Support tickets: free text, urgency 0..3."""

    def __init__(self, vocab):
        self.to_ids = partial(tf.py_function, vocab.encode, Tout=tf.int32)

    def row(self, line):
        urgency, text = tf.unstack(tf.strings.split(line, "\t", maxsplit=1), num=2)
        ids = self.to_ids(inp=[text])
        ids.set_shape([MAX])
        return ids, tf.strings.to_number(urgency, tf.int32)

    def load(self, path, batch=256, mix=0):
        ds = tf.data.TextLineDataset(path)
        if mix:
            ds = ds.shuffle(mix)
        ds = ds.map(self.row, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(batch).prefetch(tf.data.AUTOTUNE)


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
