import tensorflow as tf


class Translation:
    def __init__(self, source_file, target_file, buffer_size=20_000):
        self.buffer_size = buffer_size
        self.source = self.lines(source_file)
        self.target = self.lines(target_file)

    def lines(self, path):
        ds = tf.data.TextLineDataset(path)
        ds = ds.map(tf.strings.strip, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.shuffle(self.buffer_size)

    def pairs(self):
        return tf.data.Dataset.zip((self.source, self.target))

    def batches(self, batch_size=64):
        return self.pairs().batch(batch_size).prefetch(tf.data.AUTOTUNE)


corpus = Translation("train.en", "train.pt")
encoder = tf.keras.layers.TextVectorization(max_tokens=8000)
encoder.adapt(corpus.source.batch(256))
model = tf.keras.models.load_model("seq2seq.keras")
for english, portuguese in corpus.batches():
    model.train_on_batch(encoder(english), encoder(portuguese))
