"""Protein sequences from gzipped shards."""
import collections

import tensorflow as tf

Mix = collections.namedtuple("Mix", "cycle block parallel")
SOURCES = {
    "uniref": Mix(16, 8, tf.data.AUTOTUNE),
    "metagenome": Mix(8, 32, tf.data.AUTOTUNE),
}


def shard(path):
    return tf.data.TFRecordDataset(path, compression_type="GZIP")


def masked(serialized):
    ids = tf.io.parse_example(
        serialized, {"aa": tf.io.FixedLenFeature([256], tf.int64)})["aa"]
    hide = tf.random.uniform(tf.shape(ids)) < 0.15
    return tf.where(hide, tf.constant(25, tf.int64), ids), ids


def source(name):
    files = tf.data.Dataset.list_files(f"/data/proteins/{name}/*.gz", shuffle=True)
    return files.interleave(shard, *SOURCES[name]).repeat()


def mixture(weights, batch_size):
    parts = [source(name) for name in weights]
    ds = tf.data.experimental.sample_from_datasets(parts, list(weights.values()))
    ds = ds.shuffle(100_000).batch(batch_size, drop_remainder=True)
    ds = ds.map(masked, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


if __name__ == "__main__":
    model = tf.keras.Sequential([
        tf.keras.layers.Embedding(26, 128),
        tf.keras.layers.Bidirectional(tf.keras.layers.LSTM(256, return_sequences=True)),
        tf.keras.layers.Dense(26),
    ])
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(mixture({"uniref": 0.8, "metagenome": 0.2}, 256),
              steps_per_epoch=4_000, epochs=10)
