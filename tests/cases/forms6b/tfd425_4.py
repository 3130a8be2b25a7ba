import argparse

import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE


class CharacterData:
    """Cuts a long text into sequences, then groups the sequences."""

    def __init__(self, path, seq_length=128, batch_size=64):
        text = tf.io.read_file(path)
        self.chars = tf.strings.unicode_split(text, "UTF-8")
        vocabulary = sorted(set(self.chars.numpy()))
        self.lookup = tf.keras.layers.StringLookup(vocabulary=vocabulary)
        self.seq_length = seq_length
        self.batch_size = batch_size

    def sequences(self):
        ids = self.lookup(self.chars)
        ds = tf.data.Dataset.from_tensor_slices(ids)
        return ds.batch(self.seq_length + 1, drop_remainder=True)

    @staticmethod
    def shift(sequence):
        return sequence[:-1], sequence[1:]

    def train(self):
        ds = self.sequences()
        ds = ds.map(self.shift, num_parallel_calls=AUTOTUNE)
        ds = ds.cache().shuffle(10_000)
        ds = ds.batch(self.batch_size, drop_remainder=True)
        return ds.prefetch(AUTOTUNE)


def build_model(vocab_size):
    return tf.keras.Sequential([
        tf.keras.layers.Embedding(vocab_size, 256),
        tf.keras.layers.GRU(1024, return_sequences=True),
        tf.keras.layers.Dense(vocab_size),
    ])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("text")
    parser.add_argument("--epochs", type=int, default=30)
    args = parser.parse_args()
    data = CharacterData(args.text)
    model = build_model(data.lookup.vocabulary_size())
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(data.train(), epochs=args.epochs)


if __name__ == "__main__":
    main()
