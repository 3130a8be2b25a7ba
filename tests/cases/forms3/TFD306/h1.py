import numpy as np
import tensorflow as tf

text = open("shakespeare.txt", "rb").read().decode("utf-8")
vocab = sorted(set(text))
ids = np.array([vocab.index(c) for c in text], dtype=np.int64)
seq_length = 100
batch_size = 64

chars = tf.data.Dataset.from_tensor_slices(ids)
sequences = chars.batch(seq_length + 1, drop_remainder=True)
dataset = sequences.shuffle(10000)
dataset = dataset.batch(batch_size, drop_remainder=True)
dataset = dataset.map(lambda s: (s[:, :-1], s[:, 1:]), num_parallel_calls=tf.data.AUTOTUNE)
dataset = dataset.prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Embedding(len(vocab), 256),
    tf.keras.layers.GRU(1024, return_sequences=True),
    tf.keras.layers.Dense(len(vocab)),
])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(dataset, epochs=30)
