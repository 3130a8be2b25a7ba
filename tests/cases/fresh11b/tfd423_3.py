import csv

import numpy as np
import tensorflow as tf


class RatingStream:
    signature = (
        tf.TensorSpec((2,), tf.int32),
        tf.TensorSpec((), tf.float32),
        tf.TensorSpec((), tf.float32),
    )

    def __init__(self, path, weighted=True):
        self.path = path
        self.weighted = weighted

    def __call__(self):
        with open(self.path, newline="") as f:
            for row in csv.DictReader(f):
                ids = np.array([row["user"], row["item"]], dtype=np.int32)
                sample = (ids, np.float32(row["rating"]))
                if self.weighted:
                    yield *sample, np.float32(row["weight"])
                else:
                    yield sample

    def dataset(self, batch_size):
        signature = self.signature if self.weighted else self.signature[:2]
        ds = tf.data.Dataset.from_generator(self, output_signature=signature)
        return ds.shuffle(100_000).batch(batch_size).prefetch(tf.data.AUTOTUNE)


def main():
    ids = tf.keras.Input((2,), dtype="int32")
    user = tf.keras.layers.Embedding(200_000, 32)(ids[:, 0])
    item = tf.keras.layers.Embedding(30_000, 32)(ids[:, 1])
    model = tf.keras.Model(ids, tf.keras.layers.Dot(1)([user, item]))
    model.compile("adam", "mse")
    model.fit(RatingStream("/data/ratings/ratings.csv").dataset(1024), epochs=3)


if __name__ == "__main__":
    main()
