"""Two-tower retrieval on MovieLens-25M, StringLookup in the pipeline."""
from dataclasses import dataclass, field

import pandas as pd
import tensorflow as tf


@dataclass
class Columns:
    user: str = "userId"
    item: str = "movieId"
    lookups: dict = field(default_factory=dict)

    def adapt(self, frame):
        for c in (self.user, self.item):
            self.lookups[c] = tf.keras.layers.StringLookup(vocabulary=frame[c].unique())
        return self

    def size(self, c):
        return self.lookups[c].vocabulary_size()


class InteractionInput:
    def __init__(self, frame, columns):
        self.frame, self.columns = frame, columns

    def lookup(self, row):
        c = self.columns
        return {
            "user": c.lookups[c.user](row[c.user]),
            "item": c.lookups[c.item](row[c.item]),
            "hour": tf.cast(row["timestamp"] // 3600 % 24, tf.int32),
        }

    def stream(self, batch):
        rows = tf.data.Dataset.from_tensor_slices(dict(self.frame))
        rows = rows.shuffle(1_000_000)
        ids = rows.map(self.lookup, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
        return ids.batch(batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


class Retrieval(tf.keras.Model):
    def __init__(self, columns, dim=64):
        super().__init__()
        self.u = tf.keras.layers.Embedding(columns.size(columns.user), dim)
        self.h = tf.keras.layers.Embedding(24, dim)
        self.i = tf.keras.layers.Embedding(columns.size(columns.item), dim)

    def train_step(self, b):
        with tf.GradientTape() as t:
            q = self.u(b["user"]) + self.h(b["hour"])
            s = tf.matmul(q, self.i(b["item"]), transpose_b=True)
            y = tf.range(tf.shape(s)[0])
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(y, s))
        g = t.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(g, self.trainable_variables))
        return {"loss": loss}


if __name__ == "__main__":
    ratings = pd.read_csv("/data/ml-25m/ratings.csv", dtype={"userId": str, "movieId": str})
    cols = Columns().adapt(ratings)
    net = Retrieval(cols)
    net.compile("adagrad")
    net.fit(InteractionInput(ratings, cols).stream(8192), epochs=5)
