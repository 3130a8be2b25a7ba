"""Causal LM on C4 text shards; the input is described by a small op list (see PIPELINE)."""
import json
import os

import tensorflow as tf
import tensorflow_text as tf_text

AUTO = tf.data.AUTOTUNE
SEQ_LEN = 1024

with open(os.environ.get("SPM_MODEL", "spm.32k.model"), "rb") as fh:
    TOKENIZER = tf_text.SentencepieceTokenizer(fh.read(), add_eos=True)


def open_shard(path):
    return tf.data.TextLineDataset(path, compression_type="GZIP", buffer_size=1 << 20)


def tokenize(lines):
    return TOKENIZER.tokenize(lines).flat_values


def shift(tokens):
    return tokens[:, :-1], tokens[:, 1:]


FUNCTIONS = {"open_shard": open_shard, "tokenize": tokenize, "shift": shift}

PIPELINE = json.loads("""
[
  {"op": "shuffle",    "buffer_size": 1024},
  {"op": "interleave", "map_func": "open_shard", "cycle_length": 64, "block_length": 8},
  {"op": "shuffle",    "buffer_size": 65536},
  {"op": "batch",      "batch_size": 256},
  {"op": "map",        "map_func": "tokenize", "num_parallel_calls": -1},
  {"op": "unbatch"},
  {"op": "batch",      "batch_size": 1025, "drop_remainder": true},
  {"op": "batch",      "batch_size": 16, "drop_remainder": true},
  {"op": "map",        "map_func": "shift", "num_parallel_calls": -1},
  {"op": "repeat"},
  {"op": "prefetch",   "buffer_size": -1}
]
""")


def run_spec(ds, spec):
    for entry in spec:
        kwargs = dict(entry)
        op = kwargs.pop("op")
        if "map_func" in kwargs:
            kwargs["map_func"] = FUNCTIONS[kwargs["map_func"]]
        ds = getattr(ds, op)(**kwargs)
    return ds


def transformer(vocab=32000, width=768, depth=12):
    ids = tf.keras.Input([None], dtype=tf.int32)
    x = tf.keras.layers.Embedding(vocab, width)(ids)
    for _ in range(depth):
        h = tf.keras.layers.LayerNormalization()(x)
        mask = tf.linalg.band_part(tf.ones([1, SEQ_LEN, SEQ_LEN]), -1, 0)
        x = x + tf.keras.layers.MultiHeadAttention(12, 64)(h, h, attention_mask=mask)
        h = tf.keras.layers.LayerNormalization()(x)
        x = x + tf.keras.layers.Dense(width)(tf.keras.layers.Dense(4 * width, "gelu")(h))
    return tf.keras.Model(ids, tf.keras.layers.Dense(vocab)(x))


def main():
    shards = tf.io.gfile.glob("gs://c4-mirror/en/c4-train.*-of-01024.txt.gz")
    train = run_spec(tf.data.Dataset.from_tensor_slices(shards), PIPELINE)
    lm = transformer()
    lm.compile(optimizer=tf.keras.optimizers.Adam(2e-4),
               loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    lm.fit(train, steps_per_epoch=10_000, epochs=60)


if __name__ == "__main__":
    main()
