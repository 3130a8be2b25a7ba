import numpy as np
import tensorflow as tf

DOMAINS = {
    "wiki": {"glob": "/corpora/wiki/*.txt", "weight": 0.5},
    "books": {"glob": "/corpora/books/*.txt", "weight": 0.3},
    "news": {"glob": "/corpora/news/*.txt", "weight": 0.2},
}
READ_OPTS = {"cycle_length": 8, "block_length": 64, "deterministic": False}
SEQ = 128


def lines(path):
    return tf.data.TextLineDataset(path, buffer_size=4 << 20)


def bytes_to_ids(text):
    ids = tf.cast(tf.io.decode_raw(text, tf.uint8, fixed_length=SEQ + 1), tf.int32)
    return ids[:, :-1], ids[:, 1:]


def build_mixture(batch):
    parts, weights = [], []
    for name, opts in DOMAINS.items():
        files = tf.data.Dataset.list_files(opts["glob"], shuffle=True, seed=len(name))
        part = files.interleave(lines, **READ_OPTS)
        parts.append(part.shuffle(50_000).repeat())
        weights.append(opts["weight"])
    mixed = tf.data.experimental.sample_from_datasets(parts, weights, seed=11)
    mixed = mixed.batch(batch, drop_remainder=True)
    mixed = mixed.map(bytes_to_ids, num_parallel_calls=tf.data.AUTOTUNE)
    return mixed.prefetch(tf.data.AUTOTUNE)


class CharLM(tf.keras.Model):
    def __init__(self, dim=512):
        super().__init__()
        self.embed = tf.keras.layers.Embedding(256, dim)
        self.rnn = tf.keras.layers.LSTM(dim, return_sequences=True)
        self.out = tf.keras.layers.Dense(256)

    def call(self, x):
        return self.out(self.rnn(self.embed(x)))


def main():
    model = CharLM()
    model.compile(
        tf.keras.optimizers.Adam(1e-3),
        tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    )
    history = model.fit(build_mixture(256), steps_per_epoch=5000, epochs=10)
    np.savetxt("loss.txt", history.history["loss"])


if __name__ == "__main__":
    main()
