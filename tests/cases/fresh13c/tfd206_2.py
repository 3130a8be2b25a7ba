"""Masked language modelling in JAX, fed by tf.data."""
import dataclasses

import jax
import jax.numpy as jnp
import optax
import tensorflow as tf


@dataclasses.dataclass(frozen=True)
class MlmConfig:
    pattern: str = "/data/wiki/tokens-*.tfrecord"
    seq_len: int = 256
    batch: int = 128
    vocab: int = 32000
    mask_id: int = 4
    rate: float = 0.15
    steps: int = 200_000


def make_masker(cfg):
    def mask(tokens):
        draw = tf.random.stateless_uniform([cfg.seq_len], seed=(2024, 7))
        hidden = tf.logical_and(draw < cfg.rate, tokens > 5)
        inputs = tf.where(hidden, cfg.mask_id, tokens)
        return {"inputs": inputs, "targets": tokens, "weights": tf.cast(hidden, tf.float32)}

    return mask


def corpus(cfg):
    def parse(raw):
        spec = {"ids": tf.io.FixedLenFeature([cfg.seq_len], tf.int64)}
        return tf.cast(tf.io.parse_single_example(raw, spec)["ids"], tf.int32)

    files = tf.data.Dataset.list_files(cfg.pattern, shuffle=True)
    records = files.interleave(tf.data.TFRecordDataset, cycle_length=16,
                               num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
    tokens = records.shuffle(50_000).repeat().map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    masked = tokens.map(make_masker(cfg), num_parallel_calls=tf.data.AUTOTUNE)
    return masked.batch(cfg.batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def init(cfg, key, dim=512):
    k1, k2 = jax.random.split(key)
    return {"emb": jax.random.normal(k1, (cfg.vocab, dim)) * 0.02,
            "mix": jax.random.normal(k2, (cfg.seq_len, cfg.seq_len)) * 0.02}


def loss_fn(params, b):
    h = params["emb"][b["inputs"]]
    h = h + jax.nn.gelu(jnp.einsum("st,btd->bsd", params["mix"], h))
    logits = h @ params["emb"].T
    ce = optax.softmax_cross_entropy_with_integer_labels(logits, b["targets"])
    return jnp.sum(ce * b["weights"]) / jnp.maximum(jnp.sum(b["weights"]), 1.0)


def train(cfg=MlmConfig()):
    params = init(cfg, jax.random.PRNGKey(0))
    opt = optax.adamw(3e-4)
    state = opt.init(params)

    @jax.jit
    def step(params, state, b):
        loss, g = jax.value_and_grad(loss_fn)(params, b)
        up, state = opt.update(g, state, params)
        return optax.apply_updates(params, up), state, loss

    for i, b in zip(range(cfg.steps), corpus(cfg).as_numpy_iterator()):
        params, state, loss = step(params, state, b)
        if i % 500 == 0:
            print(i, float(loss))


if __name__ == "__main__":
    train()
