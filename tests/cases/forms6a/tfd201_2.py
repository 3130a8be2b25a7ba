import json
from pathlib import Path

import tensorflow as tf
from transformers import AutoTokenizer


class JsonlCorpus:
    """Token blocks from newline-delimited JSON."""

    def __init__(self, root, tokenizer, block=512):
        self.files = sorted(Path(root).glob("*.jsonl"))
        self.tokenizer = tokenizer
        self.block = block

    def __call__(self):
        rest = []
        for path in self.files:
            with path.open() as f:
                for line in f:
                    rest += self.tokenizer.encode(json.loads(line)["text"])
                    while len(rest) > self.block:
                        yield rest[:self.block + 1]
                        rest = rest[self.block:]

    def as_dataset(self):
        return tf.data.Dataset.from_generator(
            self, output_types=tf.int32, output_shapes=[self.block + 1])


def shift(block):
    return block[:, :-1], block[:, 1:]


class Trainer:
    def __init__(self, corpus, strategy):
        self.strategy = strategy
        self.dataset = strategy.experimental_distribute_dataset(self.pipeline(corpus))

    @staticmethod
    def pipeline(corpus):
        ds = corpus.as_dataset().shuffle(20_000).batch(64, drop_remainder=True)
        ds = ds.map(shift, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.prefetch(tf.data.AUTOTUNE)

    def fit(self, model, optimizer, epochs):
        @tf.function
        def step(x, y):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.keras.losses.sparse_categorical_crossentropy(
                    y, model(x, training=True), from_logits=True))
            grads = tape.gradient(loss, model.trainable_variables)
            optimizer.apply_gradients(zip(grads, model.trainable_variables))

        for _ in range(epochs):
            for x, y in self.dataset:
                self.strategy.run(step, args=(x, y))


if __name__ == "__main__":
    tok = AutoTokenizer.from_pretrained("gpt2")
    s = tf.distribute.MirroredStrategy()
    with s.scope():
        net = tf.keras.Sequential([
            tf.keras.layers.Embedding(len(tok), 256),
            tf.keras.layers.LSTM(512, return_sequences=True),
            tf.keras.layers.Dense(len(tok))])
        opt = tf.keras.optimizers.Adam()
    Trainer(JsonlCorpus("/data/webtext", tok), s).fit(net, opt, epochs=2)
