"""GPT-2 small on OpenWebText token shards. `PROFILE=1 python train.py` records a short run first."""
import functools
import glob
import os

import tensorflow as tf
from tensorflow.profiler import experimental as profiler

BLOCK, VOCAB = 1024, 50257
LOGS = os.environ.get("LOGS", "/logs/gpt2")


def profiled(logdir):
    """Records the decorated call, when PROFILE is set."""
    def deco(fn):
        @functools.wraps(fn)
        def wrapper(*args, **kwargs):
            if not os.environ.get("PROFILE"):
                return fn(*args, **kwargs)
            profiler.start(logdir)
            try:
                return fn(*args, **kwargs)
            finally:
                profiler.stop()
        return wrapper
    return deco


def tokens(batch):
    ds = tf.data.Dataset.from_tensor_slices(sorted(glob.glob("/data/owt/*.bin")))
    ds = ds.shuffle(4096).repeat().interleave(
        lambda f: tf.data.FixedLengthRecordDataset(f, 2 * (BLOCK + 1)),
        cycle_length=16, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(20_000).batch(batch, drop_remainder=True)

    def unpack(raw):
        ids = tf.cast(tf.io.decode_raw(raw, tf.uint16), tf.int32)
        ids = tf.ensure_shape(ids, [batch, BLOCK + 1])
        return ids[:, :-1], ids[:, 1:]
    return ds.map(unpack, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


class GPT(tf.keras.Model):
    def __init__(self, width=768, depth=12, heads=12):
        super().__init__()
        self.tok = tf.keras.layers.Embedding(VOCAB, width)
        self.pos = tf.keras.layers.Embedding(BLOCK, width)
        self.att = [tf.keras.layers.MultiHeadAttention(heads, width // heads) for _ in range(depth)]
        self.up = [tf.keras.layers.Dense(4 * width, "gelu") for _ in range(depth)]
        self.down = [tf.keras.layers.Dense(width) for _ in range(depth)]
        self.ln = [tf.keras.layers.LayerNormalization() for _ in range(2 * depth + 1)]

    def call(self, ids):
        h = self.tok(ids) + self.pos(tf.range(BLOCK))[None]
        for i, (a, u, d) in enumerate(zip(self.att, self.up, self.down)):
            n = self.ln[2 * i](h)
            h = h + a(n, n, use_causal_mask=True)
            h = h + d(u(self.ln[2 * i + 1](h)))
        return tf.matmul(self.ln[-1](h), self.tok.embeddings, transpose_b=True)


model = GPT()
optimizer = tf.keras.optimizers.AdamW(6e-4, weight_decay=0.1, beta_2=0.95)


@tf.function(jit_compile=True)
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(y, model(x)))
    tv = model.trainable_variables
    optimizer.apply_gradients(zip(tape.gradient(loss, tv), tv))
    return loss


@profiled(LOGS)
def train_some_steps(ds, n):
    loss = None
    for x, y in ds.take(n):
        loss = train_step(x, y)
    return loss


def main():
    ds = tokens(batch=12)
    print("first 200 steps:", float(train_some_steps(ds, 200)))
    for step, (x, y) in enumerate(ds.take(600_000)):
        loss = train_step(x, y)
        if step % 500 == 0:
            print(step, float(loss))


if __name__ == "__main__":
    main()
