"""Toxic comment model with balanced classes."""
import json

import tensorflow as tf
import tensorflow_text as text


class Balanced:
    def __init__(self, vocab_file, length=128):
        self.tok = text.BertTokenizer(vocab_file, lower_case=True)
        self.length = length

    def tokenize(self, line):
        parts = tf.strings.split(line, "\t")
        ids = self.tok.tokenize(parts[1:2]).merge_dims(1, 2)
        ids = ids.to_tensor(shape=(1, self.length))[0]
        return ids, tf.strings.to_number(parts[0], tf.int32)

    def source(self, pattern):
        files = tf.data.Dataset.list_files(pattern)
        lines = files.interleave(tf.data.TextLineDataset, cycle_length=4, num_parallel_calls=4, deterministic=False)
        return lines.map(self.tokenize, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)

    def train(self, pattern, batch):
        both = self.source(pattern)
        branches = []
        for wanted in (0, 1):
            part = both.filter(lambda ids, y, w=wanted: tf.equal(y, w))
            branches.append(part.shuffle(20_000).repeat())
        ds = tf.data.Dataset.sample_from_datasets(branches, weights=[0.5, 0.5])
        return ds.batch(batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def model_of(config):
    inp = tf.keras.Input((128,), dtype=tf.int64)
    x = tf.keras.layers.Embedding(config["vocab"], config["width"], mask_zero=True)(inp)
    x = tf.keras.layers.Bidirectional(tf.keras.layers.LSTM(config["width"]))(x)
    return tf.keras.Model(inp, tf.keras.layers.Dense(1, activation="sigmoid")(x))


if __name__ == "__main__":
    with open("/cfg/toxic.json") as fh:
        config = json.load(fh)
    data = Balanced("/cfg/vocab.txt").train("/data/comments/*.tsv", 128)
    model = model_of(config)
    model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
    model.fit(data, steps_per_epoch=2000, epochs=8)
