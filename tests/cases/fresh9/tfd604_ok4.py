"""Sequence tagger with a custom loop."""
import argparse

import tensorflow as tf


class TaggerTrainer:
    def __init__(self, model, lr, debug=False):
        self.model = model
        self.optimizer = tf.keras.optimizers.Adam(lr)
        self._compiled = {
            "train": self._step if debug else tf.function(self._step),
        }

    def _step(self, tokens, tags):
        with tf.GradientTape() as tape:
            logits = self.model(tokens, training=True)
            loss = tf.reduce_mean(
                tf.nn.sparse_softmax_cross_entropy_with_logits(tags, logits))
        grads = tape.gradient(loss, self.model.trainable_variables)
        grads, _ = tf.clip_by_global_norm(grads, 1.0)
        self.optimizer.apply_gradients(zip(grads, self.model.trainable_variables))
        return loss

    def fit(self, dataset, epochs):
        step = self._compiled["train"]
        for epoch in range(epochs):
            for tokens, tags in dataset:
                loss = step(tokens, tags)
            print(epoch, float(loss))


def conll(path, batch_size):
    def parse(records):
        ex = tf.io.parse_example(records, {
            "tokens": tf.io.FixedLenFeature([128], tf.int64),
            "tags": tf.io.FixedLenFeature([128], tf.int64)})
        return ex["tokens"], ex["tags"]

    ds = tf.data.TFRecordDataset(path).shuffle(20_000).batch(batch_size, drop_remainder=True)
    return ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--debug", action="store_true")
    parser.add_argument("--lr", type=float, default=1e-3)
    args = parser.parse_args()
    model = tf.keras.Sequential([
        tf.keras.layers.Embedding(30_000, 200),
        tf.keras.layers.Bidirectional(tf.keras.layers.LSTM(200, return_sequences=True)),
        tf.keras.layers.Dense(17)])
    TaggerTrainer(model, args.lr, args.debug).fit(conll("/data/ontonotes/train.tfrecord", 64), 15)


if __name__ == "__main__":
    main()
