import json

import numpy as np
import tensorflow as tf
import keras


class JsonlReader:
    def __init__(self, path, vocab, max_len):
        self.path = path
        self.vocab = {w: i + 2 for i, w in enumerate(vocab)}
        self.max_len = max_len

    def __call__(self):
        with open(self.path, encoding="utf-8") as fh:
            for line in fh:
                row = json.loads(line)
                ids = [self.vocab.get(t, 1) for t in row["text"].lower().split()][: self.max_len]
                out = np.zeros(self.max_len, np.int32)
                out[: len(ids)] = ids
                yield out, np.float32(row["stars"] > 3)


vocab = open("/data/yelp/vocab.txt", encoding="utf-8").read().split()
reader = JsonlReader("/data/yelp/reviews.jsonl", vocab, 256)
signature = (tf.TensorSpec([256], tf.int32), tf.TensorSpec([], tf.float32))

train = (
    tf.data.Dataset.from_generator(reader, output_signature=signature)
    .shuffle(20_000)
    .batch(256)
    .prefetch(tf.data.AUTOTUNE)
)

model = keras.Sequential([
    keras.layers.Embedding(len(vocab) + 2, 128, mask_zero=True),
    keras.layers.LSTM(128),
    keras.layers.Dense(1, activation="sigmoid"),
])
model.compile("adam", "binary_crossentropy")
model.fit(train, epochs=5)
