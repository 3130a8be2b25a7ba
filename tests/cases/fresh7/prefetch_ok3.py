"""Siamese text matcher; the stages of the pipeline are named once and used by those names."""
import argparse

import tensorflow as tf

in_batches = tf.data.Dataset.batch
mixed = tf.data.Dataset.shuffle
read_ahead = tf.data.Dataset.prefetch
changed = tf.data.Dataset.map


def parse(lines):
    left, right, same = tf.io.decode_csv(lines, [[""], [""], [0]], field_delim="\t")
    return (left, right), same


def questions(pattern, batch):
    lines = tf.data.TextLineDataset(tf.io.gfile.glob(pattern), num_parallel_reads=4)
    stages = in_batches(mixed(lines, 50_000), batch)
    return read_ahead(changed(stages, parse, num_parallel_calls=tf.data.AUTOTUNE), 4)


def matcher(encode):
    towers = tf.keras.Sequential([
        encode,
        tf.keras.layers.Embedding(20_000, 96, mask_zero=True),
        tf.keras.layers.GRU(96),
    ])
    left, right = (tf.keras.Input((), dtype=tf.string) for _ in range(2))
    cosine = tf.keras.layers.Dot(axes=1, normalize=True)([towers(left), towers(right)])
    return tf.keras.Model([left, right], tf.keras.layers.Dense(1, activation="sigmoid")(cosine))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--train", default="data/questions/train-*.tsv")
    parser.add_argument("--batch", type=int, default=128)
    parser.add_argument("--epochs", type=int, default=4)
    args = parser.parse_args()

    train = questions(args.train, args.batch)
    encode = tf.keras.layers.TextVectorization(20_000, output_sequence_length=40)
    encode.adapt(train.take(200).map(lambda pair, same: tf.concat(pair, 0)))
    model = matcher(encode)
    model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
    model.fit(train, epochs=args.epochs)


if __name__ == "__main__":
    main()
