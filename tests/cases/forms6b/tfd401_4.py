"""Write the tokenized splits once, then train from the saved copies."""
import os

import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE
ROOT = "/data/reviews"
SPLITS = ("train", "val")


def make_vectorizer(lines):
    layer = tf.keras.layers.TextVectorization(max_tokens=30_000, output_sequence_length=256)
    layer.adapt(lines.batch(1024).prefetch(AUTOTUNE))
    return layer


def split_line(line):
    parts = tf.strings.split(line, "\t", maxsplit=1)
    return parts[1], tf.strings.to_number(parts[0], tf.int32)


def read(split):
    ds = tf.data.TextLineDataset(os.path.join(ROOT, f"{split}.tsv"))
    return ds.map(split_line, num_parallel_calls=AUTOTUNE)


def export():
    datasets = {split: read(split) for split in SPLITS}
    vectorize = make_vectorizer(datasets["train"].map(lambda text, _: text, num_parallel_calls=AUTOTUNE))
    for split, ds in datasets.items():
        ds = ds.batch(1024).map(lambda text, label: (vectorize(text), label), num_parallel_calls=AUTOTUNE)
        ds.unbatch().save(os.path.join(ROOT, "tokens", split))


def load():
    datasets = {split: tf.data.Dataset.load(os.path.join(ROOT, "tokens", split)) for split in SPLITS}
    datasets["train"] = datasets["train"].shuffle(50_000)
    for split, ds in datasets.items():
        ds = ds.batch(64).prefetch(AUTOTUNE)
        datasets[split] = ds
    return datasets


def main():
    export()
    datasets = load()
    model = tf.keras.Sequential([
        tf.keras.layers.Embedding(30_000, 64),
        tf.keras.layers.GlobalAveragePooling1D(),
        tf.keras.layers.Dense(1, activation="sigmoid"),
    ])
    model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
    model.fit(datasets["train"], validation_data=datasets["val"], epochs=5)


if __name__ == "__main__":
    main()
