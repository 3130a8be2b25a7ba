"""Language model on lines of a corpus; short lines are dropped, so nobody knows how many stay."""
import argparse

import tensorflow as tf


def get_lines(path, shortest):
    def long_enough(line):
        return tf.size(tf.strings.split(line)) >= shortest

    return tf.data.TextLineDataset(path).filter(long_enough)


def main(args):
    lines = get_lines(args.corpus, args.shortest)
    total = sum(1 for _ in lines)
    steps = total // args.batch
    print(f"{total} lines, {steps} steps an epoch")

    vectorise = tf.keras.layers.TextVectorization(8000, output_sequence_length=33)
    vectorise.adapt(lines.batch(1024))

    def next_word(batch):
        ids = vectorise(batch)
        return ids[:, :-1], ids[:, 1:]

    ds = lines.shuffle(20_000).repeat().batch(args.batch)
    ds = ds.map(next_word, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)
    model = tf.keras.Sequential([
        tf.keras.layers.Embedding(8000, 128),
        tf.keras.layers.LSTM(128, return_sequences=True),
        tf.keras.layers.Dense(8000),
    ])
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(ds, steps_per_epoch=steps, epochs=args.epochs)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--corpus", default="data/corpus.txt")
    parser.add_argument("--shortest", type=int, default=5)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--epochs", type=int, default=3)
    main(parser.parse_args())
