"""IMDB-like long review classification, one text file per polarity."""
import argparse

import tensorflow as tf


def lines(path, label):
    ds = tf.data.TextLineDataset(path)
    return ds.map(lambda t: (t, label))


def encode(lookup):
    def fn(text, label):
        words = tf.strings.split(tf.strings.lower(text))
        return lookup.lookup(words)[:400], label
    return fn


def make_dataset(pos, neg, lookup, batch_size, training):
    ds = lines(neg, 0).concatenate(lines(pos, 1))
    ds = ds.map(encode(lookup), num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.cache()
    ds = ds.padded_batch(batch_size, padded_shapes=([None], []))
    if training:
        ds = ds.shuffle(1000, reshuffle_each_iteration=True)
    return ds.prefetch(tf.data.AUTOTUNE)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--data", default="/data/reviews")
    p.add_argument("--bs", type=int, default=64)
    args = p.parse_args()

    init = tf.lookup.TextFileInitializer(
        f"{args.data}/vocab.txt", tf.string, tf.lookup.TextFileIndex.WHOLE_LINE,
        tf.int64, tf.lookup.TextFileIndex.LINE_NUMBER)
    lookup = tf.lookup.StaticVocabularyTable(init, 1)

    train = make_dataset(f"{args.data}/train.pos", f"{args.data}/train.neg",
                         lookup, args.bs, training=True)
    test = make_dataset(f"{args.data}/test.pos", f"{args.data}/test.neg",
                        lookup, args.bs, training=False)

    model = tf.keras.Sequential([
        tf.keras.layers.Embedding(50_001, 128),
        tf.keras.layers.Bidirectional(tf.keras.layers.LSTM(64)),
        tf.keras.layers.Dense(1, activation="sigmoid"),
    ])
    model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
    model.fit(train, validation_data=test, epochs=8)


if __name__ == "__main__":
    main()
