# Trains a small GRU on click sessions that are stored as gzipped JSON lines.
import glob
import gzip
import json
import random

import tensorflow as tf

VOCAB = 50000
MAX_LEN = 100
BATCH = 256


class SessionReader(object):
    def __init__(self, pattern, shuffle=True):
        self.files = sorted(glob.glob(pattern))
        self.shuffle = shuffle
        self.sessions_read = 0

    def __call__(self):
        files = list(self.files)
        if self.shuffle:
            random.shuffle(files)
        for name in files:
            with gzip.open(name, "rt") as handle:
                for line in handle:
                    session = json.loads(line)
                    clicks = session["item_ids"][-MAX_LEN:]
                    self.sessions_read += 1
                    yield clicks, int(session["bought"])


def make_dataset(reader):
    ds = tf.data.Dataset.from_generator(
        reader,
        output_signature=(tf.TensorSpec([None], tf.int32), tf.TensorSpec([], tf.int32)),
    )
    return ds.padded_batch(BATCH)


def build():
    inputs = tf.keras.Input([None], dtype=tf.int32)
    x = tf.keras.layers.Embedding(VOCAB, 64, mask_zero=True)(inputs)
    x = tf.keras.layers.GRU(64)(x)
    return tf.keras.Model(inputs, tf.keras.layers.Dense(1)(x))


train_reader = SessionReader("logs/2020-*/part-*.json.gz")
train_ds = make_dataset(train_reader)

model = build()
optimizer = tf.keras.optimizers.Adam()
bce = tf.keras.losses.BinaryCrossentropy(from_logits=True)


@tf.function
def step(x, y):
    with tf.GradientTape() as tape:
        loss = bce(y[:, None], model(x, training=True))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss


for epoch in range(5):
    for i, (x, y) in enumerate(train_ds):
        loss = step(x, y)
        if i % 100 == 0:
            print("epoch %d, %d sessions read, loss %.4f" % (epoch, train_reader.sessions_read, loss.numpy()))
model.save("models/clicks")
