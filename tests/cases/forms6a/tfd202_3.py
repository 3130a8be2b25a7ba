import re
from functools import partial

import tensorflow as tf
import tensorflow_datasets as tfds

URL = re.compile(r"https?://\S+")
AUTOTUNE = tf.data.AUTOTUNE


def clean(text):
    text = URL.sub(" ", text.numpy().decode("utf-8").lower())
    return re.sub(r"[^a-z0-9' ]+", " ", text)


STEPS = {
    "clean": partial(tf.py_function, clean, Tout=tf.string),
    "strip": tf.strings.strip,
}


def prepare(text, label, steps):
    for name in steps:
        step = STEPS[name]
        text = step([text]) if name == "clean" else step(text)
    return tf.ensure_shape(text, []), label


def main(steps=("clean", "strip"), vocab_file="/data/yelp_vocab.txt"):
    raw = tfds.load("yelp_polarity_reviews", as_supervised=True, shuffle_files=True)
    splits = {}
    for name, ds in raw.items():
        if name == "train":
            ds = ds.shuffle(50_000)
        ds = ds.map(partial(prepare, steps=steps), num_parallel_calls=AUTOTUNE)
        splits[name] = ds.batch(256).prefetch(AUTOTUNE)

    model = tf.keras.Sequential([
        tf.keras.layers.TextVectorization(
            max_tokens=20_000, output_sequence_length=256, vocabulary=vocab_file),
        tf.keras.layers.Embedding(20_000, 64),
        tf.keras.layers.GlobalAveragePooling1D(),
        tf.keras.layers.Dense(1, activation="sigmoid"),
    ])
    model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
    model.fit(splits["train"], validation_data=splits["test"], epochs=3)


if __name__ == "__main__":
    main()
