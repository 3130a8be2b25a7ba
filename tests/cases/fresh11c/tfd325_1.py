import tensorflow as tf


class CharCorpus:
    ALPHABET = 96
    LENGTH = 200

    def __init__(self, path, batch_size=128):
        self.path = path
        self.batch_size = batch_size

    def _ids(self, line):
        codes = tf.cast(tf.io.decode_raw(line, tf.uint8), tf.int32) - 32
        codes = tf.clip_by_value(codes, 0, self.ALPHABET - 1)[: self.LENGTH + 1]
        codes = tf.pad(codes, [[0, self.LENGTH + 1 - tf.size(codes)]])
        return tf.ensure_shape(codes, (self.LENGTH + 1,))

    def _pair(self, codes):
        return tf.one_hot(codes[:-1], self.ALPHABET), codes[1:]

    def dataset(self):
        ds = tf.data.TextLineDataset(self.path)
        ds = ds.map(self._ids, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.map(self._pair, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.cache()
        ds = ds.shuffle(20_000)
        return ds.batch(self.batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


if __name__ == "__main__":
    model = tf.keras.Sequential([
        tf.keras.layers.GRU(512, return_sequences=True),
        tf.keras.layers.Dense(CharCorpus.ALPHABET),
    ])
    model.compile(
        "adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(CharCorpus("/data/text/lines.txt").dataset(), epochs=30)
