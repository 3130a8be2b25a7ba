import numpy as np
import tensorflow as tf
from tensorflow import numpy_function as np_fn

ALPHABET = {c: i for i, c in enumerate("ACDEFGHIKLMNPQRSTVWY", start=1)}
LENGTH = 700


def to_ids(seq):
    out = np.zeros(LENGTH, np.int64)
    for i, c in enumerate(seq.decode()[:LENGTH]):
        out[i] = ALPHABET.get(c, 0)
    return out


def columns(line):
    family, seq = tf.io.decode_csv(line, [[0], [""]], field_delim="\t")
    return seq, family


def encode(seq, family):
    ids = np_fn(to_ids, [seq], tf.int64)
    return tf.ensure_shape(ids, [LENGTH]), family


train, dev = [
    tf.data.TextLineDataset(tf.io.gfile.glob(f"/data/pfam/{split}/*"), num_parallel_reads=tf.data.AUTOTUNE)
    .map(columns, num_parallel_calls=tf.data.AUTOTUNE)
    .shuffle(20_000)
    .map(encode, num_parallel_calls=tf.data.AUTOTUNE)
    .batch(128)
    .prefetch(tf.data.AUTOTUNE)
    for split in ("train", "dev")
]

model = tf.keras.Sequential([
    tf.keras.layers.Embedding(21, 64),
    tf.keras.layers.Conv1D(256, 9, activation="relu"),
    tf.keras.layers.GlobalMaxPooling1D(),
    tf.keras.layers.Dense(17_929),
])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(train, validation_data=dev, epochs=8)
