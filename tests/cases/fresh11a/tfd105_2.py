import argparse
from pathlib import Path

import tensorflow as tf
from tensorflow import data as tfd


def build(reader, locations, batch_size, buffer):
    stream = reader(locations)
    stream = stream.shuffle(buffer).batch(batch_size, drop_remainder=True)
    return stream


def tokenise(vectorizer):
    def inner(lines):
        parts = tf.strings.split(lines, "\t", maxsplit=1).to_tensor(shape=[None, 2])
        label = tf.strings.to_number(parts[:, 0], tf.int32)
        return vectorizer(parts[:, 1]), label
    return inner


def parse_args():
    p = argparse.ArgumentParser()
    p.add_argument("--reviews", type=Path, default=Path("/data/amazon/reviews"))
    p.add_argument("--vocab", default="vocab.txt")
    p.add_argument("--batch_size", type=int, default=1024)
    return p.parse_args()


def main():
    args = parse_args()
    parts = [str(p) for p in sorted(args.reviews.glob("part-*.tsv"))]
    vectorizer = tf.keras.layers.TextVectorization(
        output_sequence_length=200, vocabulary=args.vocab)
    ds = build(tfd.TextLineDataset, parts, args.batch_size, 300_000)
    ds = ds.map(tokenise(vectorizer), num_parallel_calls=tfd.AUTOTUNE)
    ds = ds.prefetch(tfd.AUTOTUNE)

    model = tf.keras.Sequential([
        tf.keras.layers.Embedding(40000, 64),
        tf.keras.layers.GlobalAveragePooling1D(),
        tf.keras.layers.Dense(5, activation="softmax"),
    ])
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(ds, epochs=4)


if __name__ == "__main__":
    main()
