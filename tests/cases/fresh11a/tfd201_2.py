import csv
import functools
import random

import tensorflow as tf
from absl import app, flags

flags.DEFINE_string("data", "/data/translation", "Folder with one tsv a split.")
flags.DEFINE_integer("batch_size", 256, "Batch size.")
FLAGS = flags.FLAGS

TYPES = ({"source": tf.string}, tf.int32)
SHAPES = ({"source": ()}, ())


def rows(path, shuffle):
    with open(path, newline="") as f:
        table = list(csv.DictReader(f, delimiter="\t"))
    if shuffle:
        random.shuffle(table)
    for row in table:
        yield {"source": row["text"].lower()}, int(row["language"])


def input_fn(split, training):
    make = functools.partial(rows, f"{FLAGS.data}/{split}.tsv", training)
    ds = tf.compat.v1.data.Dataset.from_generator(make, TYPES, SHAPES)
    ds = ds.batch(FLAGS.batch_size)
    ds = ds.map(hash_ngrams, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


def hash_ngrams(features, label):
    chars = tf.strings.unicode_split(features["source"], "UTF-8")
    ids = tf.strings.to_hash_bucket_fast(chars, 4096)
    return ids.to_tensor(shape=[None, 300]), label


def main(_):
    datasets = {s: input_fn(s, s == "train") for s in ("train", "valid")}
    model = tf.keras.Sequential([
        tf.keras.layers.Embedding(4096, 64),
        tf.keras.layers.Conv1D(128, 5, activation="relu"),
        tf.keras.layers.GlobalMaxPooling1D(),
        tf.keras.layers.Dense(200, activation="softmax"),
    ])
    model.compile("adam", "sparse_categorical_crossentropy")
    model.fit(datasets["train"], validation_data=datasets["valid"], epochs=8)


if __name__ == "__main__":
    app.run(main)
