"""Toxic comment classifier from tab-separated text files, one file per source."""
import argparse
import pathlib

import tensorflow as tf

LABELS = 6


def split_line(line):
    cols = tf.io.decode_csv(line, [""] + [0.0] * LABELS, field_delim="\t",
                            use_quote_delim=False)
    return cols[0], tf.stack(cols[1:])


def comments(folder, split, batch_size=128, shuffle=False):
    files = sorted(str(p) for p in pathlib.Path(folder, split).glob("*.tsv"))
    ds = tf.data.TextLineDataset(files)
    if shuffle:
        ds = ds.shuffle(100_000)
    ds = ds.batch(batch_size)
    ds = ds.map(lambda l: tf.map_fn(
        split_line, l, fn_output_signature=(tf.string, tf.float32)),
        num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


def build(vectorize):
    text = tf.keras.Input((), dtype=tf.string)
    x = vectorize(text)
    x = tf.keras.layers.Embedding(40_000, 128)(x)
    x = tf.keras.layers.Conv1D(128, 5, activation="relu")(x)
    x = tf.keras.layers.GlobalMaxPooling1D()(x)
    return tf.keras.Model(text, tf.keras.layers.Dense(LABELS, activation="sigmoid")(x))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--folder", default="/data/toxic")
    ap.add_argument("--epochs", type=int, default=5)
    args = ap.parse_args()

    train = comments(args.folder, "train")
    valid = comments(args.folder, "valid")

    vec = tf.keras.layers.TextVectorization(40_000, output_sequence_length=200)
    vec.adapt(train.map(lambda t, y: t))
    model = build(vec)
    model.compile("adam", "binary_crossentropy",
                  metrics=[tf.keras.metrics.AUC(multi_label=True)])
    model.fit(train, validation_data=valid, epochs=args.epochs)
    model.save_weights("toxic.weights.h5")


if __name__ == "__main__":
    main()
