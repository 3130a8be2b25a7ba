import functools

import pandas as pd
import tensorflow as tf

CONFIG = {
    "csv": "data/reviews.csv",
    "folds": 10,
    "held_out": 0,
    "batch": 64,
    "vocabulary": 20000,
    "length": 200,
    "epochs": 8,
}


def rows(frame):
    shuffled = frame.sample(frac=1)
    for text, stars in zip(shuffled["text"], shuffled["stars"]):
        yield text, stars >= 4


def folds_of(frame, n):
    ds = tf.data.Dataset.from_generator(
        functools.partial(rows, frame),
        output_signature=(tf.TensorSpec((), tf.string), tf.TensorSpec((), tf.bool)),
    )
    return [ds.shard(n, k) for k in range(n)]


def feed(parts, encode, cfg):
    ds = functools.reduce(lambda a, b: a.concatenate(b), parts)
    ds = ds.batch(cfg["batch"])
    ds = ds.map(lambda text, good: (encode(text), good), num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


def main(cfg):
    frame = pd.read_csv(cfg["csv"]).dropna(subset=["text"])
    folds = folds_of(frame, cfg["folds"])
    encode = tf.keras.layers.TextVectorization(cfg["vocabulary"], output_sequence_length=cfg["length"])
    encode.adapt(frame["text"].to_numpy(dtype=str))

    held_out = folds.pop(cfg["held_out"])
    model = tf.keras.Sequential([
        tf.keras.layers.Embedding(cfg["vocabulary"], 64),
        tf.keras.layers.GlobalAveragePooling1D(),
        tf.keras.layers.Dense(1, activation="sigmoid"),
    ])
    model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
    model.fit(feed(folds, encode, cfg), validation_data=feed([held_out], encode, cfg), epochs=cfg["epochs"])


main(CONFIG)
