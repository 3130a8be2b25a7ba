import tensorflow as tf


class Vocabulary:
    def __init__(self, words):
        self.words = list(words)

    @classmethod
    def from_generator(cls, lines, min_count=5):
        counts = {}
        for line in lines:
            for w in line.split():
                counts[w] = counts.get(w, 0) + 1
        return cls(w for w, c in sorted(counts.items()) if c >= min_count)


with open("/data/news/sample.txt") as fh:
    vocab = Vocabulary.from_generator(line.lower() for line in fh)

vectorize = tf.keras.layers.TextVectorization(vocabulary=vocab.words, output_sequence_length=101)
files = tf.io.gfile.glob("/data/news/part-*.txt")
ds = tf.data.TextLineDataset(files, num_parallel_reads=tf.data.AUTOTUNE)
ds = ds.shuffle(10_000).batch(64, drop_remainder=True)
ds = ds.map(vectorize, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.map(lambda t: (t[:, :-1], t[:, 1:]), num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.prefetch(tf.data.AUTOTUNE)

size = vectorize.vocabulary_size()
model = tf.keras.Sequential([
    tf.keras.layers.Embedding(size, 64),
    tf.keras.layers.GRU(128, return_sequences=True),
    tf.keras.layers.Dense(size, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(ds, epochs=5)
