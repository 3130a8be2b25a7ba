import csv
import dataclasses

import numpy as np
import tensorflow as tf


@dataclasses.dataclass
class Settings:
    path: str = "/data/ratings/ratings.csv"
    users: int = 200_000
    items: int = 30_000
    batch_size: int = 1024


class RatingStream:
    signature = (
        tf.TensorSpec((2,), tf.int32),
        tf.TensorSpec((), tf.float32),
    )

    def __init__(self, settings):
        self.settings = settings

    def __call__(self):
        with open(self.settings.path, newline="") as f:
            for row in csv.DictReader(f):
                ids = np.array([row["user"], row["item"]], dtype=np.int32)
                yield ids, np.float32(row["rating"]), np.float32(row["weight"])

    def dataset(self):
        ds = tf.data.Dataset.from_generator(self, output_signature=self.signature)
        return ds.shuffle(100_000).batch(self.settings.batch_size).prefetch(tf.data.AUTOTUNE)


def main():
    s = Settings()
    ids = tf.keras.Input((2,), dtype="int32")
    user = tf.keras.layers.Embedding(s.users, 32)(ids[:, 0])
    item = tf.keras.layers.Embedding(s.items, 32)(ids[:, 1])
    model = tf.keras.Model(ids, tf.keras.layers.Dot(1)([user, item]))
    model.compile("adam", "mse")
    model.fit(RatingStream(s).dataset(), epochs=3)


if __name__ == "__main__":
    main()
