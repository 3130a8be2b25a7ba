"""Next-item recommender on shopping baskets."""
import argparse
import json

import tensorflow as tf


class Baskets:
    def __init__(self, path, min_items=3):
        self.history, self.target = [], []
        with open(path) as fh:
            for line in fh:
                items = json.loads(line)["items"]
                if len(items) >= min_items:
                    self.history.append(items[:-1])
                    self.target.append(items[-1])

    def __len__(self):
        return len(self.target)

    def dataset(self, batch):
        ds = tf.data.Dataset.from_tensor_slices((self.history, self.target))
        ds = ds.shuffle(len(self))
        return ds.batch(batch).prefetch(tf.data.AUTOTUNE)


class NextItem(tf.keras.Model):
    def __init__(self, items, width):
        super().__init__()
        self.emb = tf.keras.layers.Embedding(items, width, mask_zero=True)
        self.rnn = tf.keras.layers.GRU(width)
        self.out = tf.keras.layers.Dense(items)

    def call(self, history):
        return self.out(self.rnn(self.emb(history)))


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--baskets", default="/retail/baskets.jsonl")
    p.add_argument("--items", type=int, default=50_000)
    p.add_argument("--width", type=int, default=96)
    p.add_argument("--batch", type=int, default=256)
    a = p.parse_args()
    baskets = Baskets(a.baskets)
    model = NextItem(a.items, a.width)
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(baskets.dataset(a.batch), epochs=6)
    model.save_weights("/models/next_item.weights.h5")


if __name__ == "__main__":
    main()
