import argparse

import tensorflow as tf


def open_shard(path):
    return tf.data.TFRecordDataset(path, compression_type="GZIP", buffer_size=8 << 20)


def parse(batch, seq_len):
    ex = tf.io.parse_example(batch, {"ids": tf.io.FixedLenFeature([seq_len + 1], tf.int64)})
    ids = tf.cast(ex["ids"], tf.int32)
    return ids[:, :-1], ids[:, 1:]


def corpus(args):
    shards = tf.data.Dataset.list_files(args.shards, shuffle=True, seed=args.seed)
    docs = shards.interleave(open_shard, cycle_length=args.cycle, block_length=16)
    docs = docs.shuffle(args.buffer, seed=args.seed).repeat()
    docs = docs.batch(args.batch, drop_remainder=True)
    docs = docs.map(lambda b: parse(b, args.seq_len), num_parallel_calls=tf.data.AUTOTUNE)
    return docs.prefetch(tf.data.AUTOTUNE)


class TinyLM(tf.keras.Model):
    def __init__(self, vocab, width):
        super().__init__()
        self.emb = tf.keras.layers.Embedding(vocab, width)
        self.rnn = tf.keras.layers.LSTM(width, return_sequences=True)
        self.out = tf.keras.layers.Dense(vocab)

    def call(self, ids):
        return self.out(self.rnn(self.emb(ids)))


def cli():
    p = argparse.ArgumentParser()
    p.add_argument("--shards", default="gs://lm-corpus/c4/part-*.gz")
    p.add_argument("--cycle", type=int, default=16)
    p.add_argument("--buffer", type=int, default=20000)
    p.add_argument("--batch", type=int, default=64)
    p.add_argument("--seq_len", type=int, default=512)
    p.add_argument("--steps", type=int, default=100000)
    p.add_argument("--seed", type=int, default=42)
    return p.parse_args()


def main():
    args = cli()
    lm = TinyLM(32000, 512)
    opt = tf.keras.optimizers.Adam(3e-4)
    ce = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)

    @tf.function
    def train_step(x, y):
        with tf.GradientTape() as tape:
            loss = ce(y, lm(x))
        opt.apply_gradients(zip(tape.gradient(loss, lm.trainable_variables), lm.trainable_variables))
        return loss

    for i, (x, y) in enumerate(corpus(args).take(args.steps)):
        loss = train_step(x, y)
        if i % 100 == 0:
            tf.print(i, loss)


if __name__ == "__main__":
    main()
