"""GPT-style training in JAX, data from tf.data."""
import argparse
import json
import time

import jax
import jax.numpy as jnp
import optax
import tensorflow as tf


class MetricLog:
    def __init__(self, path):
        self.file = open(path, "a")
        self.t0 = time.time()

    def add(self, step, **values):
        row = {"step": step, "seconds": time.time() - self.t0}
        row.update({k: float(v) for k, v in values.items()})
        self.file.write(json.dumps(row) + "\n")


def batches(pattern, length, batch):
    ds = tf.data.Dataset.list_files(pattern)
    ds = ds.interleave(lambda f: tf.data.FixedLengthRecordDataset(f, (length + 1) * 2), cycle_length=8,
                       num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
    ds = ds.shuffle(50_000).repeat().batch(batch, drop_remainder=True)
    ds = ds.map(lambda b: tf.cast(tf.io.decode_raw(b, tf.uint16), tf.int32), num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE).as_numpy_iterator()


def init(key, vocab=50304, dim=768):
    a, b = jax.random.split(key)
    return {"emb": 0.02 * jax.random.normal(a, (vocab, dim)), "w": 0.02 * jax.random.normal(b, (dim, dim))}


def loss_fn(p, tokens):
    h = jnp.cumsum(p["emb"][tokens[:, :-1]], axis=1)
    h = h / jnp.arange(1, h.shape[1] + 1)[None, :, None]
    logits = jax.nn.gelu(h @ p["w"]) @ p["emb"].T
    return optax.softmax_cross_entropy_with_integer_labels(logits, tokens[:, 1:]).mean()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--data", default="/data/owt/*.bin")
    ap.add_argument("--steps", type=int, default=100_000)
    ap.add_argument("--log", default="/logs/owt.jsonl")
    args = ap.parse_args()
    tx = optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(6e-4))
    params = init(jax.random.PRNGKey(0))
    state = tx.init(params)

    @jax.jit
    def update(params, state, tokens):
        loss, grads = jax.value_and_grad(loss_fn)(params, tokens)
        updates, state = tx.update(grads, state, params)
        return optax.apply_updates(params, updates), state, loss, optax.global_norm(grads)

    log = MetricLog(args.log)
    data = batches(args.data, 1024, 32)
    for step in range(args.steps):
        params, state, loss, norm = update(params, state, next(data))
        log.add(step, loss=loss, grad_norm=norm)


if __name__ == "__main__":
    main()
