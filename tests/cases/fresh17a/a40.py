import json

import tensorflow as tf

TAGS = 17
VOCAB = 30_000


def read(path):
    tokens, tags = [], []
    with open(path) as fh:
        for line in fh:
            row = json.loads(line)
            tokens.append(row["token_ids"])
            tags.append(row["tag_ids"])
    return tf.ragged.constant(tokens, dtype=tf.int32), tf.ragged.constant(tags, dtype=tf.int32)


def dense(tokens, tags):
    return tokens, tags, tf.ones_like(tags, tf.float32)


def sentences(path, batch, training):
    tokens, tags = read(path)
    ds = tf.data.Dataset.from_tensor_slices((tokens, tags))
    if training:
        ds = ds.shuffle(tokens.nrows())
    ds = ds.map(dense, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.padded_batch(batch, padded_shapes=([None], [None], [None]))
    return ds.prefetch(tf.data.AUTOTUNE)


def tagger():
    inp = tf.keras.Input((None,), dtype=tf.int32)
    x = tf.keras.layers.Embedding(VOCAB, 128)(inp)
    x = tf.keras.layers.Bidirectional(tf.keras.layers.LSTM(128, return_sequences=True))(x)
    return tf.keras.Model(inp, tf.keras.layers.Dense(TAGS)(x))


if __name__ == "__main__":
    model = tagger()
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(sentences("/nlp/train.jsonl", 64, True), epochs=5)
    print(model.evaluate(sentences("/nlp/dev.jsonl", 64, False)))
