"""Review sentiment (3.6 million lines); a text class over a generic one."""
import tensorflow as tf


class LineData:
    batch_size = 512

    def __init__(self, pattern):
        self.pattern = pattern

    def lines(self):
        files = tf.data.Dataset.list_files(self.pattern, shuffle=True)
        return files.interleave(tf.data.TextLineDataset, cycle_length=8,
                                num_parallel_calls=tf.data.AUTOTUNE)

    def encode(self, line):
        return line

    def __call__(self):
        ds = self.lines().shuffle(100_000)
        ds = ds.map(self.encode, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(self.batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


class Reviews(LineData):
    def __init__(self, pattern, vocabulary, length=200):
        super().__init__(pattern)
        self.vectorize = tf.keras.layers.TextVectorization(
            standardize=None, vocabulary=vocabulary, output_sequence_length=length)

    def encode(self, line):
        stars = tf.strings.to_number(tf.strings.substr(line, 0, 1))
        text = tf.strings.lower(tf.strings.substr(line, 2, 10_000))
        text = tf.strings.regex_replace(text, r"<[^>]+>|[^a-z0-9' ]", " ")
        return self.vectorize(text), tf.cast(stars > 3, tf.float32)


def main():
    reviews = Reviews("/data/reviews/train-*.txt", "/data/reviews/vocab.txt")
    model = tf.keras.Sequential([
        tf.keras.layers.Embedding(reviews.vectorize.vocabulary_size(), 64),
        tf.keras.layers.Conv1D(128, 5, activation="relu"),
        tf.keras.layers.GlobalMaxPooling1D(),
        tf.keras.layers.Dense(1, activation="sigmoid"),
    ])
    model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
    model.fit(reviews(), epochs=3)


if __name__ == "__main__":
    main()
