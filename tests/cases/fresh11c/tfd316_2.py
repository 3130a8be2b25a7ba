import tensorflow as tf


class TextDataModule:
    """Reads label<TAB>text lines and keeps token ids on the local disk."""

    def __init__(self, root, vocab_file, cache_path="/tmp/reviews.cache", batch_size=128):
        self.root = root
        self.cache_path = cache_path
        self.batch_size = batch_size
        self.vectorize = tf.keras.layers.TextVectorization(
            vocabulary=vocab_file, output_sequence_length=256)

    def _tokens(self, line):
        parts = tf.strings.split(line, "\t")
        return self.vectorize(parts[1]), tf.strings.to_number(parts[0], tf.int32)

    def _base(self, name):
        lines = tf.data.TextLineDataset(f"{self.root}/{name}.tsv")
        ds = lines.map(self._tokens, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.cache(filename=self.cache_path)

    def train(self):
        ds = self._base("train").shuffle(50_000)
        return ds.batch(self.batch_size).prefetch(tf.data.AUTOTUNE)

    def validation(self):
        return self._base("dev").batch(self.batch_size).prefetch(tf.data.AUTOTUNE)


def run():
    data = TextDataModule("/data/reviews", "/data/reviews/vocab.txt")
    model = tf.keras.Sequential([
        tf.keras.layers.Embedding(30_000, 64),
        tf.keras.layers.GlobalAveragePooling1D(),
        tf.keras.layers.Dense(1),
    ])
    model.compile("adam", tf.keras.losses.BinaryCrossentropy(from_logits=True))
    model.fit(data.train(), validation_data=data.validation(), epochs=5)


if __name__ == "__main__":
    run()
