"""Sentence pairs of growing length: the curriculum callback raises the limit while `fit` runs."""
import tensorflow as tf
from tensorflow.keras import layers

max_len = tf.Variable(10, dtype=tf.int32, trainable=False)


class Curriculum(tf.keras.callbacks.Callback):
    def __init__(self, every=500, step=5, limit=80):
        super().__init__()
        self.every = every
        self.step = step
        self.limit = limit

    def on_train_batch_end(self, batch, logs=None):
        if batch and batch % self.every == 0:
            max_len.assign(tf.minimum(max_len + self.step, self.limit))


def to_ids(line):
    ids = tf.strings.to_number(tf.strings.split(line, " "), tf.int32)
    return ids[:-1], ids[1:]


def short_enough(inputs, targets):
    return tf.size(inputs) <= max_len


def make_dataset(pattern):
    files = tf.data.Dataset.list_files(pattern)
    lines = files.interleave(tf.data.TextLineDataset, cycle_length=4, num_parallel_calls=tf.data.AUTOTUNE)
    pairs = lines.map(to_ids, num_parallel_calls=tf.data.AUTOTUNE)
    pairs = pairs.filter(short_enough)
    return pairs.shuffle(5000).padded_batch(64)


model = tf.keras.Sequential(
    [
        layers.Embedding(32000, 256, mask_zero=True),
        layers.LSTM(512, return_sequences=True),
        layers.Dense(32000),
    ]
)
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(make_dataset("corpus/train-*.ids"), epochs=3, callbacks=[Curriculum()])
model.save_weights("lm.ckpt")
