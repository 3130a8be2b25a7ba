import string

import tensorflow as tf
from tensorflow import data as tfd

PARAMS = {"vocab": 40_000, "seq": 400, "batch": 128, "epochs": 15}


def clean(text):
    text = tf.strings.lower(text)
    text = tf.strings.regex_replace(text, "<br ?/?>", " ")
    return tf.strings.regex_replace(text, f"[{string.punctuation}]", "")


def make_vectorizer(lines):
    layer = tf.keras.layers.TextVectorization(
        max_tokens=PARAMS["vocab"], standardize=clean, ngrams=2, output_sequence_length=PARAMS["seq"]
    )
    layer.adapt(lines)
    return layer


def get_splits(root, vectorize):
    def tokenise(text, label):
        return vectorize(text), label

    def pipeline(ds, *, memory, training):
        if memory:
            ds = ds.cache()
        if training:
            ds = ds.shuffle(25_000)
        ds = ds.batch(PARAMS["batch"])
        ds = ds.map(tokenise, num_parallel_calls=tfd.AUTOTUNE)
        return ds.prefetch(tfd.AUTOTUNE)

    for split in ("train", "test"):
        raw = tf.keras.utils.text_dataset_from_directory(
            f"{root}/{split}", batch_size=None, shuffle=False
        )
        yield split, pipeline(raw, memory=True, training=split == "train")


def main():
    root = "/data/aclImdb"
    corpus = tf.keras.utils.text_dataset_from_directory(f"{root}/train", batch_size=512, shuffle=False)
    vectorize = make_vectorizer(corpus.map(lambda t, y: t, num_parallel_calls=tfd.AUTOTUNE).prefetch(1))
    data = dict(get_splits(root, vectorize))
    model = tf.keras.Sequential([
        tf.keras.layers.Embedding(PARAMS["vocab"], 64),
        tf.keras.layers.Conv1D(128, 7, activation="relu"),
        tf.keras.layers.GlobalMaxPooling1D(),
        tf.keras.layers.Dense(1, activation="sigmoid"),
    ])
    model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
    model.fit(data["train"], validation_data=data["test"], epochs=PARAMS["epochs"])


if __name__ == "__main__":
    main()
