"""Ticket routing: text lines to queues with TextVectorization."""
import tensorflow as tf
from tensorflow.keras import layers

LINES = "/data/tickets/{part}.txt"
LABELS = "/data/tickets/{part}.labels"
QUEUES = ["billing", "network", "hardware", "account", "other"]


class TicketText:
    def __init__(self, vocab=50_000, length=200):
        self.vectorize = layers.TextVectorization(max_tokens=vocab, output_sequence_length=length)
        self.queue = layers.StringLookup(vocabulary=QUEUES, num_oov_indices=0)

    def fit_vocabulary(self, part="train"):
        self.vectorize.adapt(tf.data.TextLineDataset(LINES.format(part=part)).batch(2048))
        return self

    def encode(self, line, queue):
        return self.vectorize(line), self.queue(queue)

    def pairs(self, part):
        return tf.data.Dataset.zip((tf.data.TextLineDataset(LINES.format(part=part)),
                                    tf.data.TextLineDataset(LABELS.format(part=part))))

    def train(self, batch):
        ds = self.pairs("train").shuffle(100_000)
        ds = ds.map(self.encode, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(batch).prefetch(tf.data.AUTOTUNE)

    def valid(self, batch):
        ds = self.pairs("valid").batch(batch)
        return ds.map(self.encode, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


def router(vocab):
    return tf.keras.Sequential([
        layers.Embedding(vocab, 128),
        layers.Conv1D(256, 5, activation="relu"),
        layers.GlobalMaxPooling1D(),
        layers.Dense(128, activation="relu"),
        layers.Dense(len(QUEUES)),
    ])


tickets = TicketText().fit_vocabulary()
model = router(50_000)
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), ["accuracy"])
model.fit(tickets.train(512), validation_data=tickets.valid(512), epochs=8)
