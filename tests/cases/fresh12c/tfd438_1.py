"""Convert tokenized abstracts to records, then pretrain a small LM on them."""
import argparse
import os

import numpy as np
import tensorflow as tf

SEQ = 513


def shard_name(out, i):
    return os.path.join(out, f"abstracts-{i:04d}.tfrecord")


def convert(npy, out, n_shards):
    tokens = np.load(npy, mmap_mode="r")
    n_seq = tokens.size // SEQ
    opts = tf.io.TFRecordOptions(compression_type="GZIP")
    for i in range(n_shards):
        with tf.io.TFRecordWriter(shard_name(out, i), opts) as w:
            for j in range(i, n_seq, n_shards):
                piece = tokens[j * SEQ:(j + 1) * SEQ]
                ids = tf.train.Feature(int64_list=tf.train.Int64List(value=piece))
                w.write(tf.train.Example(features=tf.train.Features(feature={"ids": ids})).SerializeToString())


def batches(out, n_shards, batch):
    names = tf.data.Dataset.from_tensor_slices([shard_name(out, i) for i in range(n_shards)])
    ds = names.shuffle(n_shards).interleave(
        tf.data.TFRecordDataset, cycle_length=8,
        num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
    ds = ds.shuffle(20_000).batch(batch, drop_remainder=True)

    def split(rows):
        ids = tf.io.parse_example(rows, {"ids": tf.io.FixedLenFeature([SEQ], tf.int64)})["ids"]
        return ids[:, :-1], ids[:, 1:]

    return ds.map(split, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


def language_model(vocab):
    return tf.keras.Sequential([
        tf.keras.Input((SEQ - 1,), dtype="int64"),
        tf.keras.layers.Embedding(vocab, 384),
        tf.keras.layers.LSTM(768, return_sequences=True),
        tf.keras.layers.Dense(vocab),
    ])


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--npy", default="/data/pubmed/tokens.npy")
    ap.add_argument("--out", default="/data/pubmed/records")
    ap.add_argument("--shards", type=int, default=128)
    a = ap.parse_args()
    os.makedirs(a.out, exist_ok=True)
    convert(a.npy, a.out, a.shards)
    lm = language_model(30_000)
    lm.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    lm.fit(batches(a.out, a.shards, 64), epochs=2)
