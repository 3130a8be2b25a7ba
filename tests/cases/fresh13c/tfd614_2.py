"""Fine-tune a text matcher; helper module `runtime` is inlined."""
import argparse
import logging
import os
import random

import numpy as np
import tensorflow as tf


# ---- runtime.py -----------------------------------------------------------
def setup(seed, num_threads):
    logging.basicConfig(level=logging.INFO)
    os.environ["PYTHONHASHSEED"] = str(seed)
    random.seed(seed)
    np.random.seed(seed)
    tf.random.set_seed(seed)
    tf.config.threading.set_intra_op_parallelism_threads(num_threads)
    tf.config.threading.set_inter_op_parallelism_threads(num_threads)
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)


# ---- data.py --------------------------------------------------------------
def question_pairs(pattern, vectorize, batch):
    def columns(lines):
        left, right, same = tf.io.decode_csv(lines, ["", "", 0.0], field_delim="\t", use_quote_delim=False)
        return (vectorize(left), vectorize(right)), same

    ds = tf.data.Dataset.list_files(pattern)
    ds = ds.interleave(tf.data.TextLineDataset, cycle_length=8, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(100_000).batch(batch).map(columns, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


# ---- model.py -------------------------------------------------------------
def matcher(vocab):
    tower = tf.keras.Sequential([tf.keras.layers.Embedding(vocab, 256),
                                 tf.keras.layers.Bidirectional(tf.keras.layers.LSTM(128))])
    a, b = tf.keras.Input((64,), dtype="int64"), tf.keras.Input((64,), dtype="int64")
    merged = tf.keras.layers.Concatenate()([tower(a), tower(b)])
    return tf.keras.Model((a, b), tf.keras.layers.Dense(1, activation="sigmoid")(merged))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--pattern", default="/data/qqp/train-*.tsv")
    ap.add_argument("--vocab", default="/data/qqp/vocab.txt")
    ap.add_argument("--seed", type=int, default=1)
    args = ap.parse_args()
    setup(args.seed, num_threads=1)
    vectorize = tf.keras.layers.TextVectorization(output_sequence_length=64, vocabulary=args.vocab)
    model = matcher(vectorize.vocabulary_size())
    model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
    model.fit(question_pairs(args.pattern, vectorize, 512), epochs=10)


if __name__ == "__main__":
    main()
