"""Intent detection with a frozen sentence encoder and a custom loop."""
import argparse

import pandas as pd
import tensorflow as tf
import tensorflow_hub as hub


class IntentTrainer:
    def __init__(self, args):
        self.args = args
        self.encoder = hub.load("https://tfhub.dev/google/universal-sentence-encoder-large/5")
        self.head = tf.keras.Sequential([tf.keras.layers.Dense(256, "relu"), tf.keras.layers.Dense(args.intents)])
        self.opt = tf.keras.optimizers.Adam(args.lr)
        self.loss = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)

    def vectors(self, text, intent):
        return self.encoder(text), intent

    def data(self):
        frame = pd.read_csv(self.args.csv)
        ds = tf.data.Dataset.from_tensor_slices((frame["utterance"].to_numpy(str), frame["intent"].to_numpy("int32")))
        ds = ds.shuffle(len(frame)).batch(self.args.batch)
        ds = ds.map(self.vectors, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.prefetch(tf.data.AUTOTUNE)

    @tf.function(reduce_retracing=True)
    def step(self, v, y):
        with tf.GradientTape() as tape:
            loss = self.loss(y, self.head(v, training=True))
        weights = self.head.trainable_variables
        self.opt.apply_gradients(zip(tape.gradient(loss, weights), weights))
        return loss

    def run(self):
        ds = self.data()
        for epoch in range(self.args.epochs):
            mean = tf.keras.metrics.Mean()
            for v, y in ds:
                mean.update_state(self.step(v, y))
            print(f"epoch {epoch}: {float(mean.result()):.4f}")
        self.head.save("/models/intent_head.keras")


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--csv", default="/data/banking.csv")
    p.add_argument("--batch", type=int, default=128)
    p.add_argument("--intents", type=int, default=77)
    p.add_argument("--lr", type=float, default=1e-3)
    p.add_argument("--epochs", type=int, default=30)
    IntentTrainer(p.parse_args()).run()
