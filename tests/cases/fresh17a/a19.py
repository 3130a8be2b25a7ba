"""JAX training on protein fragments; tf.data only feeds numpy batches."""
import glob
import random

import jax
import jax.numpy as jnp
import optax
import tensorflow as tf

READ = {"num_parallel_reads": 12, "buffer_size": 16 << 20}
LEN, AA = 64, 21


class Fragments:
    def __init__(self, pattern, shuffle_rows, batch):
        self.shards = glob.glob(pattern)
        random.Random(0).shuffle(self.shards)
        self.rows, self.batch = shuffle_rows, batch

    def records(self):
        return tf.data.TFRecordDataset(self.shards, **READ)

    @staticmethod
    def decode(raw):
        ex = tf.io.parse_example(raw, {
            "aa": tf.io.FixedLenFeature([LEN], tf.int64),
            "helix": tf.io.FixedLenFeature([], tf.float32),
        })
        return ex["aa"], ex["helix"]

    def __iter__(self):
        ds = self.records()
        ds = ds.shuffle(self.rows).batch(self.batch, drop_remainder=True)
        ds = ds.map(self.decode, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.prefetch(tf.data.AUTOTUNE).as_numpy_iterator()


def init(key):
    k1, k2 = jax.random.split(key)
    return {"w1": jax.random.normal(k1, (LEN * AA, 128)) * 0.02, "w2": jax.random.normal(k2, (128, 1)) * 0.1}


def loss_fn(p, aa, helix):
    x = jax.nn.one_hot(aa, AA).reshape(aa.shape[0], -1)
    out = (jnp.tanh(x @ p["w1"]) @ p["w2"])[:, 0]
    return jnp.mean((out - helix) ** 2)


def main():
    params, tx = init(jax.random.PRNGKey(1)), optax.adam(1e-3)
    state = tx.init(params)
    grad = jax.jit(jax.value_and_grad(loss_fn))
    data = Fragments("/bio/frag-*.tfrecord", 100_000, 512)
    for epoch in range(3):
        for aa, helix in data:
            loss, g = grad(params, aa, helix)
            updates, state = tx.update(g, state)
            params = optax.apply_updates(params, updates)
        print(epoch, loss)


if __name__ == "__main__":
    main()
