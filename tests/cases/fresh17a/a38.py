"""Sentiment with a validation part that is cut from the test split."""
from dataclasses import dataclass

import tensorflow as tf


@dataclass
class Sizes:
    words: int = 10_000
    length: int = 200
    batch: int = 128
    holdout: int = 25_000


class Reviews:
    def __init__(self, sizes):
        self.s = sizes
        (xa, ya), (xb, yb) = tf.keras.datasets.imdb.load_data(num_words=sizes.words)
        self.train_xy = self._pad(xa), ya
        self.test_xy = self._pad(xb)[:25_000], yb[:25_000]

    def _pad(self, rows):
        return tf.keras.utils.pad_sequences(rows, maxlen=self.s.length)

    def train(self):
        x, y = self.train_xy
        return tf.data.Dataset.from_tensor_slices((x, y)).shuffle(len(x)).batch(self.s.batch).prefetch(2)

    def val_and_test(self):
        rows = tf.data.Dataset.from_tensor_slices(self.test_xy)
        val = rows.take(self.s.holdout)
        test = rows.skip(self.s.holdout)
        return [p.batch(self.s.batch).prefetch(2) for p in (val, test)]


def build(s):
    return tf.keras.Sequential([
        tf.keras.layers.Embedding(s.words, 64),
        tf.keras.layers.Conv1D(64, 5, activation="relu"),
        tf.keras.layers.GlobalMaxPooling1D(),
        tf.keras.layers.Dense(1, activation="sigmoid"),
    ])


def main():
    s = Sizes()
    reviews = Reviews(s)
    val, test = reviews.val_and_test()
    model = build(s)
    model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
    model.fit(reviews.train(), validation_data=val, epochs=4)
    print("test:", model.evaluate(test, return_dict=True))


if __name__ == "__main__":
    main()
