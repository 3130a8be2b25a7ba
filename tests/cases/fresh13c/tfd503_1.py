"""Text classification; callbacks are built from the command line."""
import argparse
import os

import tensorflow as tf


def parse_args():
    p = argparse.ArgumentParser()
    p.add_argument("--data", default="/data/arxiv")
    p.add_argument("--logdir", default="/logs/arxiv")
    p.add_argument("--epochs", type=int, default=5)
    p.add_argument("--batch", type=int, default=256)
    p.add_argument("--profile-from", type=int, default=20)
    p.add_argument("--profile-to", type=int, default=220)
    return p.parse_args()


def build_callbacks(args):
    board = tf.keras.callbacks.TensorBoard(
        log_dir=args.logdir, update_freq="epoch",
        profile_batch=(args.profile_from, args.profile_to))
    keep = tf.keras.callbacks.ModelCheckpoint(os.path.join(args.logdir, "best.keras"), save_best_only=True)
    return [board, keep]


def abstracts(args, split, vectorize):
    def columns(lines):
        label, text = tf.io.decode_csv(lines, [0, ""])
        return vectorize(text), label

    ds = tf.data.Dataset.list_files(f"{args.data}/{split}-*.csv", shuffle=split == "train")
    ds = ds.interleave(tf.data.TextLineDataset, cycle_length=8, num_parallel_calls=tf.data.AUTOTUNE)
    if split == "train":
        ds = ds.shuffle(100_000)
    return ds.batch(args.batch).map(columns, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


def main():
    args = parse_args()
    vectorize = tf.keras.layers.TextVectorization(output_sequence_length=300, vocabulary=args.data + "/vocab.txt")
    model = tf.keras.Sequential([tf.keras.layers.Embedding(50_002, 128),
                                 tf.keras.layers.Conv1D(256, 5, activation="relu"),
                                 tf.keras.layers.GlobalMaxPooling1D(),
                                 tf.keras.layers.Dense(172, activation="softmax")])
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(abstracts(args, "train", vectorize), validation_data=abstracts(args, "valid", vectorize),
              epochs=args.epochs, callbacks=build_callbacks(args))


if __name__ == "__main__":
    main()
