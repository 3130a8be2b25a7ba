import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE


class TranslationData:
    """Parallel text first, then back-translated text."""

    def __init__(self, real_pattern, synthetic_pattern, tokenizer, batch_size=64):
        self.real_pattern = real_pattern
        self.synthetic_pattern = synthetic_pattern
        self.tokenizer = tokenizer
        self.batch_size = batch_size

    def _lines(self, pattern):
        files = tf.data.Dataset.list_files(pattern)
        lines = files.interleave(tf.data.TextLineDataset, num_parallel_calls=AUTOTUNE)
        return lines.shuffle(50_000)

    def _real(self):
        return self._lines(self.real_pattern).repeat()

    def _synthetic(self):
        return self._lines(self.synthetic_pattern)

    def _tokenize(self, lines):
        pair = tf.strings.split(lines, "\t").to_tensor(shape=[None, 2])
        source, target = self.tokenizer(pair[:, 0]), self.tokenizer(pair[:, 1])
        return (source, target[:, :-1]), target[:, 1:]

    def train(self):
        ds = self._real().concatenate(self._synthetic())
        ds = ds.batch(self.batch_size, drop_remainder=True)
        ds = ds.map(self._tokenize, num_parallel_calls=AUTOTUNE)
        return ds.prefetch(AUTOTUNE)


def build_model(vocab=32_000, width=256):
    source = tf.keras.Input((None,), dtype="int64")
    target = tf.keras.Input((None,), dtype="int64")
    embed = tf.keras.layers.Embedding(vocab, width)
    _, h, c = tf.keras.layers.LSTM(width, return_state=True)(embed(source))
    x = tf.keras.layers.LSTM(width, return_sequences=True)(embed(target), initial_state=[h, c])
    return tf.keras.Model([source, target], tf.keras.layers.Dense(vocab)(x))


def main():
    tokenizer = tf.keras.layers.TextVectorization(32_000, output_sequence_length=65)
    tokenizer.load_assets("/models/vocab")
    data = TranslationData("/data/real-*.tsv", "/data/backtrans-*.tsv", tokenizer)
    model = build_model()
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(data.train(), steps_per_epoch=5_000, epochs=20)


if __name__ == "__main__":
    main()
