"""Curriculum pretraining: mixes three corpora by a fixed schedule."""
import os
from functools import partial

import tensorflow as tf

ROOT = os.environ.get("CORPUS_ROOT", "/mnt/corpora")
SCHEDULE = ["wiki", "wiki", "books", "wiki", "code"]
CORPORA = ("wiki", "books", "code")
SEQ = 512
BATCH = 32


def parse(seq, raw):
    ex = tf.io.parse_single_example(raw, {"ids": tf.io.FixedLenFeature([seq + 1], tf.int64)})
    ids = tf.cast(ex["ids"], tf.int32)
    return ids[:-1], ids[1:]


def corpus(name):
    files = tf.data.Dataset.list_files(f"{ROOT}/{name}/*.tfrecord", shuffle=True)
    ds = files.interleave(tf.data.TFRecordDataset, cycle_length=8, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(10_000).repeat()
    return ds.map(partial(parse, SEQ), num_parallel_calls=tf.data.AUTOTUNE)


def mixed():
    order = [CORPORA.index(name) for name in SCHEDULE]
    picks = tf.data.Dataset.from_tensor_slices(order).repeat()
    ds = tf.data.Dataset.choose_from_datasets([corpus(c) for c in CORPORA], picks)
    return ds.batch(BATCH, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def transformer(vocab=32_000, width=512, depth=6):
    ids = tf.keras.Input((SEQ,), dtype="int32")
    pos = tf.keras.layers.Embedding(SEQ, width)(tf.range(SEQ))
    x = tf.keras.layers.Embedding(vocab, width)(ids) + pos
    for _ in range(depth):
        n = tf.keras.layers.LayerNormalization()(x)
        x = x + tf.keras.layers.MultiHeadAttention(8, width // 8)(n, n, use_causal_mask=True)
        n = tf.keras.layers.LayerNormalization()(x)
        x = x + tf.keras.layers.Dense(width)(tf.keras.layers.Dense(4 * width, activation="gelu")(n))
    return tf.keras.Model(ids, tf.keras.layers.Dense(vocab)(x))


if __name__ == "__main__":
    lm = transformer()
    lm.compile(
        optimizer=tf.keras.optimizers.AdamW(3e-4),
        loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    )
    lm.fit(mixed(), steps_per_epoch=5000, epochs=20)
