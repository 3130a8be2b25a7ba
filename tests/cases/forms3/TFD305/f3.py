import numpy as np
import tensorflow as tf


class CharData:
    def __init__(self, path, vocab=96, length=100):
        self.vocab = vocab
        ids = np.load(path)
        n = len(ids) // (length + 1)
        self.chunks = ids[: n * (length + 1)].reshape(n, length + 1)

    def to_pair(self, chunk):
        inputs = tf.one_hot(chunk[..., :-1], self.vocab)
        return inputs, chunk[..., 1:]

    def dataset(self, batch):
        ds = tf.data.Dataset.from_tensor_slices(self.chunks).shuffle(len(self.chunks))
        pairs = ds.map(self.to_pair, num_parallel_calls=tf.data.AUTOTUNE)
        batches = pairs.batch(batch, drop_remainder=True)
        return batches.prefetch(tf.data.AUTOTUNE)


data = CharData("shakespeare.npy")
model = tf.keras.Sequential([
    tf.keras.layers.LSTM(256, return_sequences=True),
    tf.keras.layers.Dense(96),
])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(data.dataset(64), epochs=10)
