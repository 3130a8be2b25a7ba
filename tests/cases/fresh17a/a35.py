import os

os.environ["KERAS_BACKEND"] = "jax"

import keras
import numpy as np
import tensorflow as tf

VOCAB, LENGTH = 20_000, 120


def read(path):
    texts, stars = [], []
    with open(path, encoding="utf8") as fh:
        for line in fh:
            star, text = line.rstrip("\n").split("\t", 1)
            texts.append(text)
            stars.append(int(star) - 1)
    return np.array(texts), np.array(stars, "int32")


def reviews(texts, stars, vectorize, training):
    ds = tf.data.Dataset.from_tensor_slices((texts, stars))
    if training:
        ds = ds.shuffle(len(texts))
    ds = ds.batch(128)
    ds = ds.map(lambda t, s: (vectorize(t), s), num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


def classifier():
    inp = keras.Input((LENGTH,), dtype="int64")
    x = keras.layers.Embedding(VOCAB, 64)(inp)
    x = keras.layers.Bidirectional(keras.layers.GRU(64))(x)
    return keras.Model(inp, keras.layers.Dense(5)(x))


def main():
    train_x, train_y = read("/data/reviews/train.tsv")
    test_x, test_y = read("/data/reviews/test.tsv")
    vectorize = keras.layers.TextVectorization(VOCAB, output_sequence_length=LENGTH)
    vectorize.adapt(train_x)
    model = classifier()
    model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
    model.fit(reviews(train_x, train_y, vectorize, True), epochs=6)
    print(model.evaluate(reviews(test_x, test_y, vectorize, False)))


if __name__ == "__main__":
    main()
