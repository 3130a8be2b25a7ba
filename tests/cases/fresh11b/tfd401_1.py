import argparse

import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE


class TextDataModule:
    def __init__(self, args):
        self.args = args
        self.vectorize = tf.keras.layers.TextVectorization(
            max_tokens=args.vocab, output_sequence_length=args.seq_len)
        self.train = None

    def setup(self):
        lines = tf.data.TextLineDataset(self.args.corpus)
        self.vectorize.adapt(lines.batch(1024).take(200))
        self.train = lines.map(self._split, num_parallel_calls=AUTOTUNE)
        if self.args.min_words > 0:
            self.train.filter(self._long_enough)
        self.train = self.train.shuffle(20_000).batch(self.args.batch_size)
        self.train = self.train.map(self._encode, num_parallel_calls=AUTOTUNE).prefetch(AUTOTUNE)
        return self

    @staticmethod
    def _split(line):
        parts = tf.strings.split(line, "\t", maxsplit=1)
        return parts[1], tf.strings.to_number(parts[0], tf.int32)

    def _long_enough(self, text, label):
        return tf.size(tf.strings.split(text)) >= self.args.min_words

    def _encode(self, text, label):
        return self.vectorize(text), label


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--corpus", required=True)
    p.add_argument("--vocab", type=int, default=30000)
    p.add_argument("--seq-len", type=int, default=128)
    p.add_argument("--batch-size", type=int, default=64)
    p.add_argument("--min-words", type=int, default=3)
    args = p.parse_args()
    dm = TextDataModule(args).setup()
    model = tf.keras.Sequential([
        tf.keras.layers.Embedding(args.vocab, 64),
        tf.keras.layers.GlobalAveragePooling1D(),
        tf.keras.layers.Dense(1, activation="sigmoid")])
    model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
    model.fit(dm.train, epochs=5)


if __name__ == "__main__":
    main()
