import tensorflow as tf


class Text:
    pattern = None
    cache_file = "/tmp/text/ids"

    def __init__(self, vectorize):
        self.vectorize = vectorize

    def dataset(self):
        ds = tf.data.TextLineDataset(sorted(tf.io.gfile.glob(self.pattern)))
        ds = ds.batch(64, drop_remainder=True)
        ds = ds.map(self.encode, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.cache(self.cache_file).prefetch(tf.data.AUTOTUNE)

    def encode(self, lines):
        ids = self.vectorize(lines)
        return ids[:, :-1], ids[:, 1:]


class Training(Text):
    pattern = "books/train/*.txt"


class Held(Text):
    pattern = "books/held/*.txt"


vectorize = tf.keras.layers.TextVectorization(8000, output_sequence_length=41)
vectorize.adapt(tf.data.TextLineDataset(sorted(tf.io.gfile.glob(Training.pattern))).batch(1024))
model = tf.keras.Sequential([
    tf.keras.layers.Embedding(8000, 64),
    tf.keras.layers.GRU(128, return_sequences=True),
    tf.keras.layers.Dense(8000, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(Training(vectorize).dataset(), validation_data=Held(vectorize).dataset(), epochs=8)
