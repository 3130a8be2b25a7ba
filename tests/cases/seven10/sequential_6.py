"""Language-model pre-training on gzipped shards."""
import collections

import tensorflow as tf
from tensorflow import data as tfd

Mix = collections.namedtuple("Mix", "cycle block")
CORPORA = {
    "wiki": Mix(16, 8),
    "books": Mix(8, 32),
}
LENGTH = 513


def shard(path):
    return tfd.TFRecordDataset(path, compression_type="GZIP")


def split_tokens(serialized):
    ids = tf.io.parse_example(
        serialized, {"ids": tf.io.FixedLenFeature([LENGTH], tf.int64)})["ids"]
    return ids[:, :-1], ids[:, 1:]


def corpus(name):
    files = tfd.Dataset.list_files(f"/corpora/{name}/*.tfrecord.gz", shuffle=True)
    return files.interleave(shard, *CORPORA[name]).repeat()


def mixture(weights, batch_size):
    parts = [corpus(name) for name in weights]
    ds = tfd.experimental.sample_from_datasets(parts, list(weights.values()))
    ds = ds.shuffle(50_000).batch(batch_size, drop_remainder=True)
    ds = ds.map(split_tokens, num_parallel_calls=tfd.AUTOTUNE)
    return ds.prefetch(tfd.AUTOTUNE)


def decoder(vocab=32_000, width=512):
    tokens = tf.keras.Input([LENGTH - 1], dtype=tf.int64)
    x = tf.keras.layers.Embedding(vocab, width)(tokens)
    for _ in range(3):
        x = x + tf.keras.layers.LSTM(width, return_sequences=True)(x)
        x = tf.keras.layers.LayerNormalization()(x)
    return tf.keras.Model(tokens, tf.keras.layers.Dense(vocab)(x))


def main():
    model = decoder()
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    data = mixture({"wiki": 0.7, "books": 0.3}, batch_size=64)
    model.fit(data, steps_per_epoch=5_000, epochs=20)


if __name__ == "__main__":
    main()
