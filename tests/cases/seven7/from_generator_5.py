"""News recommendation (MIND-large). Where the rows come from is chosen in the config."""
import json
import random

import numpy as np
import tensorflow as tf

CONFIG = {
    "source": "generator",
    "train": "/data/mind/train_impressions.jsonl",
    "history": 50,
    "negatives": 4,
    "batch": 512,
    "epochs": 8,
    "news": 161_013,
}


def impressions(path, history, negatives):
    """Yields (clicked history, candidates); the clicked one is always candidate 0."""
    def rows():
        with open(path) as fh:
            for line in fh:
                imp = json.loads(line)
                hist = (imp["history"] + [0] * history)[:history]
                for pos in imp["clicked"]:
                    neg = random.choices(imp["shown"], k=negatives)
                    yield np.asarray(hist, np.int32), np.asarray([pos] + neg, np.int32)
    return rows


def from_rows(cfg):
    rows = impressions(cfg["train"], cfg["history"], cfg["negatives"])
    spec = (tf.TensorSpec([cfg["history"]], tf.int32),
            tf.TensorSpec([cfg["negatives"] + 1], tf.int32))
    return rows, {"output_signature": spec}


def from_shards(cfg):
    return tf.io.gfile.glob(cfg["train"] + "-*.tfrecord"), {"num_parallel_reads": 8}


SOURCES = {
    "generator": (tf.data.Dataset.from_generator, from_rows),
    "tfrecord": (tf.data.TFRecordDataset, from_shards),
}


def open_source(cfg):
    make, arguments = SOURCES[cfg["source"]]
    first, kwargs = arguments(cfg)
    return make(first, **kwargs)


def train_dataset(cfg):
    ds = open_source(cfg)
    ds = ds.shuffle(100_000).batch(cfg["batch"], drop_remainder=True)
    return ds.prefetch(tf.data.AUTOTUNE)


class NewsRec(tf.keras.Model):
    def __init__(self, news, dim=128):
        super().__init__()
        self.emb = tf.keras.layers.Embedding(news, dim)
        self.user = tf.keras.layers.GRU(dim)

    def call(self, inputs, training=False):
        hist, cand = inputs
        return tf.einsum("bd,bkd->bk", self.user(self.emb(hist)), self.emb(cand))

    def train_step(self, data):
        hist, cand = data
        with tf.GradientTape() as tape:
            logits = self((hist, cand), training=True)
            loss = -tf.reduce_mean(tf.nn.log_softmax(logits)[:, 0])
        self.optimizer.apply_gradients(
            zip(tape.gradient(loss, self.trainable_variables), self.trainable_variables))
        return {"loss": loss}


def main():
    model = NewsRec(CONFIG["news"])
    model.compile(optimizer=tf.keras.optimizers.Adam(1e-3))
    model.fit(train_dataset(CONFIG), epochs=CONFIG["epochs"])
    model.save_weights("newsrec.weights.h5")


if __name__ == "__main__":
    main()
