import collections

import numpy as np
import tensorflow as tf


class ReviewPipeline:
    def __init__(self, path, batch_size=64):
        data = np.load(path, allow_pickle=True)
        self.texts = data["text"].astype(str)
        self.stars = data["stars"].astype("int64")
        self.batch_size = batch_size
        self.seen = 0
        self.labels_used = []

    def _prepare(self, text, stars):
        text = tf.strings.regex_replace(tf.strings.lower(text), "<[^>]+>", " ")
        label = tf.where(stars >= 4, 1, 0)
        self.seen += 1
        self.labels_used.append(label)
        return text, label

    def build(self):
        ds = tf.data.Dataset.from_tensor_slices((self.texts, self.stars))
        ds = ds.shuffle(len(self.texts))
        ds = ds.map(self._prepare, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(self.batch_size).prefetch(tf.data.AUTOTUNE)

    def report(self):
        counts = collections.Counter(int(x) for x in self.labels_used)
        print(f"{self.seen} reviews, balance {dict(counts)}")


def classifier(texts):
    vectorize = tf.keras.layers.TextVectorization(max_tokens=30_000, output_sequence_length=256)
    vectorize.adapt(texts)
    return vectorize, tf.keras.Sequential(
        [
            tf.keras.layers.Embedding(30_000, 64, mask_zero=True),
            tf.keras.layers.Bidirectional(tf.keras.layers.LSTM(64)),
            tf.keras.layers.Dense(1, activation="sigmoid"),
        ]
    )


def main():
    pipe = ReviewPipeline("reviews.npz")
    vectorize, model = classifier(pipe.texts)
    model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
    ds = pipe.build().map(
        lambda t, y: (vectorize(t), y), num_parallel_calls=tf.data.AUTOTUNE
    ).prefetch(tf.data.AUTOTUNE)
    model.fit(ds, epochs=5)
    pipe.report()


if __name__ == "__main__":
    main()
