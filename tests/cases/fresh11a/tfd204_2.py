import logging
from functools import partial

import tensorflow as tf

log = logging.getLogger(__name__)


def clean(lengths, lines):
    lines = tf.strings.lower(tf.strings.strip(lines))
    tokens = tf.strings.split(lines)
    lengths.append(tokens.row_lengths())
    return tokens


def encode(table, tokens):
    ids = table.lookup(tokens).to_tensor(shape=[None, 129])
    return ids[:, :-1], ids[:, 1:]


def build(paths, table, batch_size):
    lengths = []
    steps = [partial(clean, lengths), partial(encode, table)]
    ds = tf.data.TextLineDataset(paths, num_parallel_reads=tf.data.AUTOTUNE)
    ds = ds.shuffle(200_000).batch(batch_size, drop_remainder=True)
    for step in steps:
        ds = ds.map(step, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE), lengths


def main():
    init = tf.lookup.TextFileInitializer(
        "vocab.txt", tf.string, tf.lookup.TextFileIndex.WHOLE_LINE,
        tf.int64, tf.lookup.TextFileIndex.LINE_NUMBER)
    table = tf.lookup.StaticHashTable(init, 1)
    train, lengths = build(tf.io.gfile.glob("/data/books/*.txt"), table, 128)
    model = tf.keras.Sequential([
        tf.keras.layers.Embedding(20000, 256),
        tf.keras.layers.GRU(512, return_sequences=True),
        tf.keras.layers.Dense(20000),
    ])
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(train, epochs=2)
    log.info("batches with lengths: %d", len(lengths))


if __name__ == "__main__":
    main()
