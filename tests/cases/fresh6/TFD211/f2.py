import tensorflow as tf
import tensorflow_hub as hub


class SentenceData:
    def __init__(self, pattern, handle="https://tfhub.dev/google/universal-sentence-encoder/4"):
        self.pattern = pattern
        self.encoder = hub.load(handle)

    @staticmethod
    def parse(lines):
        parts = tf.strings.split(lines, "\t", maxsplit=1).to_tensor(shape=[None, 2])
        return parts[:, 1], tf.strings.to_number(parts[:, 0])

    def dataset(self, size):
        files = tf.data.Dataset.list_files(self.pattern)
        ds = files.interleave(tf.data.TextLineDataset, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.shuffle(20_000).batch(size)
        ds = ds.map(self.parse, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.map(lambda text, y: (self.encoder(text), y), num_parallel_calls=tf.data.AUTOTUNE)
        return ds.prefetch(tf.data.AUTOTUNE)


head = tf.keras.Sequential([tf.keras.layers.Dense(64, "relu"), tf.keras.layers.Dense(1, "sigmoid")])
head.compile("adam", "binary_crossentropy")
head.fit(SentenceData("/data/reviews/*.tsv").dataset(128), epochs=15)
