import collections

import tensorflow as tf


class ReviewLoader:
    def __init__(self, pattern, batch_size=256):
        self.pattern = pattern
        self.batch_size = batch_size
        self.stats = collections.Counter()

    def keep(self, text, label):
        return tf.strings.length(text) > 20

    def split(self, line):
        parts = tf.strings.split(line, "\t", maxsplit=1)
        self.stats["lines"] += 1
        return parts[1], tf.strings.to_number(parts[0], tf.int32)

    def dataset(self):
        files = tf.data.Dataset.list_files(self.pattern)
        ds = files.interleave(
            tf.data.TextLineDataset, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.map(self.split, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.filter(self.keep)
        ds = ds.shuffle(50_000).batch(self.batch_size)
        return ds.prefetch(tf.data.AUTOTUNE)


class ReportLines(tf.keras.callbacks.Callback):
    def __init__(self, loader):
        super().__init__()
        self.loader = loader

    def on_epoch_end(self, epoch, logs=None):
        lines = self.loader.stats["lines"]
        print(f"epoch {epoch}: {lines} lines read")
        self.loader.stats.clear()


def main():
    loader = ReviewLoader("/data/reviews/*.tsv")
    model = tf.keras.Sequential([
        tf.keras.layers.TextVectorization(
            max_tokens=20_000, output_sequence_length=200,
            vocabulary="/data/reviews/vocab.txt"),
        tf.keras.layers.Embedding(20_000, 64),
        tf.keras.layers.GlobalAveragePooling1D(),
        tf.keras.layers.Dense(5, activation="softmax"),
    ])
    model.compile("adam", "sparse_categorical_crossentropy")
    model.fit(loader.dataset(), epochs=5, callbacks=[ReportLines(loader)])


if __name__ == "__main__":
    main()
