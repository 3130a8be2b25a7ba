import argparse

import tensorflow as tf


def get_args():
    ap = argparse.ArgumentParser()
    ap.add_argument("--corpus", default="/data/wiki/*.txt")
    ap.add_argument("--batch", type=int, default=1024)
    ap.add_argument("--max-len", type=int, default=200)
    return ap.parse_args()


args = get_args()
vectorize = tf.keras.layers.TextVectorization(
    max_tokens=20_000, output_sequence_length=args.max_len + 1, vocabulary="/data/wiki/vocab.txt")

lines = tf.data.Dataset.list_files(args.corpus).flat_map(tf.data.TextLineDataset)
ds = lines.shuffle(100_000).batch(args.batch, drop_remainder=True)


def shift(batch):
    ids = vectorize(batch)
    return ids[:, :-1], ids[:, 1:]


ds = ds.map(shift, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)

lm = tf.keras.Sequential([
    tf.keras.layers.Embedding(20_000, 128),
    tf.keras.layers.GRU(256, return_sequences=True),
    tf.keras.layers.Dense(20_000),
])
lm.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
lm.fit(ds, epochs=3)
