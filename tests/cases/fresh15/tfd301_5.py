import tensorflow as tf

MASK, VOCAB, LENGTH = 1, 20_000, 128


class MaskedText:
    def __init__(self, path, batch_size=128):
        self.path = path
        self.batch_size = batch_size
        self.vectorize = tf.keras.layers.TextVectorization(
            max_tokens=VOCAB, output_sequence_length=LENGTH, ngrams=None
        )

    def fit_vocabulary(self):
        lines = tf.data.TextLineDataset(self.path)
        self.vectorize.adapt(lines.batch(1024).prefetch(tf.data.AUTOTUNE))
        return self

    def _clean(self, line):
        line = tf.strings.lower(line)
        line = tf.strings.regex_replace(line, r"https?://\S+", " ")
        return tf.strings.regex_replace(line, r"[^a-z0-9' ]", " ")

    def _tokens(self, line):
        return self.vectorize(self._clean(line))

    def _mask(self, ids):
        drop = tf.random.uniform(tf.shape(ids)) < 0.15
        drop = tf.logical_and(drop, ids > 0)
        return tf.where(drop, tf.cast(MASK, ids.dtype), ids), ids, tf.cast(drop, tf.float32)

    def dataset(self):
        ds = tf.data.TextLineDataset(self.path)
        ds = ds.map(self._tokens, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.cache()
        ds = ds.shuffle(100_000)
        ds = ds.batch(self.batch_size, drop_remainder=True)
        ds = ds.map(self._mask, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.prefetch(tf.data.AUTOTUNE)


def encoder(dim=128):
    ids = tf.keras.Input((LENGTH,), dtype="int64")
    x = tf.keras.layers.Embedding(VOCAB, dim)(ids)
    x = tf.keras.layers.LayerNormalization()(x + tf.keras.layers.MultiHeadAttention(4, 32)(x, x))
    return tf.keras.Model(ids, tf.keras.layers.Dense(VOCAB)(x))


def main():
    model = encoder()
    model.compile(
        optimizer="adam",
        loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    )
    model.fit(MaskedText("/data/tweets.txt").fit_vocabulary().dataset(), epochs=10)


if __name__ == "__main__":
    main()
