import tensorflow as tf
import tensorflow_datasets as tfds


class TextPipeline:
    def __init__(self, vocab_size=20_000, batch_size=32):
        self.batch_size = batch_size
        self.vectorizer = tf.keras.layers.TextVectorization(vocab_size)

    def adapt(self):
        texts = tfds.load("imdb_reviews", split="train").map(lambda e: e["text"])
        self.vectorizer.adapt(texts.batch(1024))

    def _encode(self, text, label):
        return self.vectorizer(text), label

    def _batch(self, ds):
        return ds.padded_batch(self.batch_size)

    def _randomize(self, ds):
        return ds.shuffle(buffer_size=500, reshuffle_each_iteration=True)

    def build(self, split, training=False):
        ds = tfds.load("imdb_reviews", split=split, as_supervised=True)
        ds = ds.map(self._encode, num_parallel_calls=tf.data.AUTOTUNE).cache()
        ds = self._batch(ds)
        if training:
            ds = self._randomize(ds)
        return ds.prefetch(tf.data.AUTOTUNE)


pipe = TextPipeline()
pipe.adapt()
model = tf.keras.Sequential([
    tf.keras.layers.Embedding(20_000, 64, mask_zero=True),
    tf.keras.layers.GlobalAveragePooling1D(),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
model.fit(pipe.build("train", training=True), validation_data=pipe.build("test"), epochs=10)
