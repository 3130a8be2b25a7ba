import csv

import numpy as np
import tensorflow as tf

GLOVE = "/data/glove/glove.6B.300d.txt"
VOCAB = 400_001
DIM = 300
MAXLEN = 64


def read_glove():
    words = []
    matrix = np.zeros((VOCAB, DIM), dtype=np.float32)
    with open(GLOVE, encoding="utf8") as f:
        for i, line in enumerate(f, start=1):
            word, *vec = line.rstrip().split(" ")
            words.append(word)
            matrix[i] = np.asarray(vec, dtype=np.float32)
    return words, matrix


def read_reviews(path):
    texts, stars = [], []
    with open(path, newline="", encoding="utf8") as f:
        for row in csv.DictReader(f):
            texts.append(row["review_body"])
            stars.append(int(row["star_rating"]) - 1)
    return texts, np.array(stars, dtype=np.int32)


words, embedding_matrix = read_glove()
vectorize = tf.keras.layers.TextVectorization(
    max_tokens=VOCAB + 1, output_sequence_length=MAXLEN, vocabulary=words[: VOCAB - 2])


def to_vectors(text, star):
    ids = vectorize(text)
    vectors = tf.gather(embedding_matrix, ids)
    return vectors, star


texts, stars = read_reviews("amazon_reviews_us_Kitchen.csv")
cut = int(0.9 * len(texts))


def make(lo, hi, training):
    ds = tf.data.Dataset.from_tensor_slices((texts[lo:hi], stars[lo:hi]))
    if training:
        ds = ds.shuffle(50_000)
    ds = ds.batch(256)
    return ds.map(to_vectors, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


model = tf.keras.Sequential([
    tf.keras.Input((MAXLEN, DIM)),
    tf.keras.layers.Conv1D(128, 5, activation="relu"),
    tf.keras.layers.GlobalMaxPooling1D(),
    tf.keras.layers.Dense(5, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(make(0, cut, True), validation_data=make(cut, len(texts), False), epochs=4)
