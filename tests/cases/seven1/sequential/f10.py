from pathlib import Path

import tensorflow as tf
from tensorflow import keras


def make_dataset(folder, years, batch_size):
    names = [str(Path(folder) / f"tweets_{year}_{month:02d}.tsv")
             for year in years for month in range(1, 13)]
    lines = tf.data.TextLineDataset(names)
    lines = lines.shuffle(50_000).batch(batch_size)
    return lines.map(split_columns, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


def split_columns(batch):
    label, text = tf.io.decode_csv(batch, [[0], [""]], field_delim="\t", use_quote_delim=False)
    return text, label


def train():
    vec = keras.layers.TextVectorization(
        max_tokens=30_000, output_sequence_length=64, vocabulary="/data/tweets/vocab.txt")
    model = keras.Sequential([
        vec,
        keras.layers.Embedding(30_000, 64),
        keras.layers.GlobalAveragePooling1D(),
        keras.layers.Dense(1, activation="sigmoid"),
    ])
    model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
    model.fit(make_dataset("/data/tweets", range(2015, 2021), 512), epochs=4)


if __name__ == "__main__":
    train()
