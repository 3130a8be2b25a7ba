"""Multi-worker language model pretraining over compressed token shards."""
import os

import tensorflow as tf

SHARDS = 2048
SEQ = 1024
PER_REPLICA = 16
ROOT = os.environ.get("CORPUS", "gs://corpus-tokens/c4")


def shard_reader(index):
    name = tf.strings.join([ROOT, "/part-", tf.strings.as_string(index, width=5, fill="0"), ".gz"])
    return tf.data.FixedLengthRecordDataset(
        name, record_bytes=(SEQ + 1) * 2, compression_type="GZIP")


def unpack(batch):
    tokens = tf.cast(tf.io.decode_raw(batch, tf.uint16, fixed_length=None), tf.int32)
    tokens = tf.reshape(tokens, [PER_REPLICA, SEQ + 1])
    return tokens[:, :-1], tokens[:, 1:]


def per_worker(ctx):
    order = tf.data.Dataset.range(SHARDS).shard(ctx.num_input_pipelines, ctx.input_pipeline_id)
    order = order.shuffle(SHARDS, seed=ctx.input_pipeline_id).repeat()
    rows = order.interleave(shard_reader, cycle_length=24)
    rows = rows.shuffle(50_000).batch(PER_REPLICA, drop_remainder=True)
    return rows.map(unpack, num_parallel_calls=tf.data.AUTOTUNE).prefetch(8)


strategy = tf.distribute.MultiWorkerMirroredStrategy()
train = strategy.distribute_datasets_from_function(per_worker)


class Block(tf.keras.layers.Layer):
    def __init__(self, width, heads):
        super().__init__()
        self.attn = tf.keras.layers.MultiHeadAttention(heads, width // heads)
        self.n1, self.n2 = tf.keras.layers.LayerNormalization(), tf.keras.layers.LayerNormalization()
        self.up = tf.keras.layers.Dense(4 * width, activation="gelu")
        self.down = tf.keras.layers.Dense(width)

    def call(self, x):
        h = self.n1(x)
        x = x + self.attn(h, h, use_causal_mask=True)
        return x + self.down(self.up(self.n2(x)))


with strategy.scope():
    ids = tf.keras.Input([SEQ], dtype=tf.int32)
    x = tf.keras.layers.Embedding(50304, 768)(ids)
    for _ in range(12):
        x = Block(768, 12)(x)
    lm = tf.keras.Model(ids, tf.keras.layers.Dense(50304)(x))
    lm.compile(tf.keras.optimizers.AdamW(6e-4),
               tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))

lm.fit(train, steps_per_epoch=2000, epochs=100)
