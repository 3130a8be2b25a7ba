"""Tag classification of support tickets, Kaggle notebook turned script."""
import pandas as pd
import tensorflow as tf
from tensorflow.keras import layers

DATA = "/kaggle/input/support-tickets/train.csv"


def load_frame():
    df = pd.read_csv(DATA).dropna(subset=["text", "queue"])
    return df["text"].astype(str).values, df["queue"].astype(str).values


def make_dataset(texts, queues, lookup, batch_size=512):
    def clean(text, queue):
        text = tf.strings.lower(text)
        text = tf.strings.regex_replace(text, r"[^a-z0-9 ]", " ")
        return text, lookup(queue)

    return (
        tf.data.Dataset.from_tensor_slices((texts, queues))
        .shuffle(len(texts))
        .map(clean, num_parallel_calls=tf.data.AUTOTUNE)
        .batch(batch_size)
        .prefetch(tf.data.AUTOTUNE)
    )


def main():
    texts, queues = load_frame()
    vocabulary = sorted(set(queues))
    lookup = layers.StringLookup(vocabulary=vocabulary, num_oov_indices=0)
    vectorize = layers.TextVectorization(
        max_tokens=20_000, standardize=None, output_sequence_length=200)
    vectorize.adapt(texts)

    model = tf.keras.Sequential([
        tf.keras.Input((), dtype=tf.string),
        vectorize,
        layers.Embedding(20_000, 128),
        layers.GlobalAveragePooling1D(),
        layers.Dense(128, activation="relu"),
        layers.Dense(len(vocabulary), activation="softmax"),
    ])
    model.compile("adam", "sparse_categorical_crossentropy", ["accuracy"])
    model.fit(make_dataset(texts, queues, lookup), epochs=10)


if __name__ == "__main__":
    main()
