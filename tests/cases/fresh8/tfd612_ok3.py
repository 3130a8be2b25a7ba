import os

import tensorflow as tf

DEBUG = os.environ.get("CAPTION_DEBUG") == "1"
tf.config.run_functions_eagerly(False)


class Captioner(tf.keras.Model):
    def __init__(self, vocab, units=512):
        super().__init__()
        self.embed = tf.keras.layers.Embedding(vocab, 256)
        self.rnn = tf.keras.layers.GRU(units, return_sequences=True)
        self.out = tf.keras.layers.Dense(vocab)

    def call(self, tokens):
        return self.out(self.rnn(self.embed(tokens)))


def parse(records):
    spec = {"tokens": tf.io.FixedLenFeature([33], tf.int64)}
    tokens = tf.io.parse_example(records, spec)["tokens"]
    return tokens[:, :-1], tokens[:, 1:]


train = (
    tf.data.Dataset.list_files("/data/captions/train-*.tfrecord")
    .interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    .shuffle(20_000)
    .batch(64, drop_remainder=True)
    .map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    .prefetch(tf.data.AUTOTUNE)
)

captioner = Captioner(vocab=12_000)
captioner.compile(
    optimizer="adam",
    loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    run_eagerly=DEBUG,
)
captioner.fit(train, epochs=20)
