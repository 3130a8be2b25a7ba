"""Causal language model pretraining on our crawl (JAX)."""
import gzip
import json
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import optax
import tensorflow as tf
from tensorflow.data import AUTOTUNE, Dataset
from transformers import AutoTokenizer, FlaxGPT2LMHeadModel, GPT2Config

SEQ_LEN = 1024


class PackedTokens:
    def __init__(self, directory, tokenizer_name="gpt2"):
        self.shards = sorted(Path(directory).glob("*.jsonl.gz"))
        self.tokenizer = AutoTokenizer.from_pretrained(tokenizer_name)

    def __call__(self):
        buffer = []
        for shard in self.shards:
            with gzip.open(shard, "rt") as lines:
                for line in lines:
                    buffer += self.tokenizer(json.loads(line)["text"])["input_ids"]
                    buffer.append(self.tokenizer.eos_token_id)
                    while len(buffer) > SEQ_LEN:
                        yield np.asarray(buffer[:SEQ_LEN + 1], np.int32)
                        buffer = buffer[SEQ_LEN:]


def batches(directory, batch_size):
    ds = Dataset.from_generator(
        PackedTokens(directory),
        output_signature=tf.TensorSpec([SEQ_LEN + 1], tf.int32),
    )
    ds = ds.shuffle(10_000).batch(batch_size, drop_remainder=True)
    return ds.prefetch(AUTOTUNE).as_numpy_iterator()


def main():
    model = FlaxGPT2LMHeadModel(GPT2Config(), seed=0, dtype=jnp.bfloat16)
    tx = optax.adamw(optax.warmup_cosine_decay_schedule(0, 6e-4, 2000, 250_000), weight_decay=0.1)
    params, opt_state = model.params, tx.init(model.params)

    @jax.jit
    def train_step(params, opt_state, tokens):
        def loss_fn(p):
            logits = model(tokens[:, :-1], params=p, train=False).logits
            return optax.softmax_cross_entropy_with_integer_labels(logits, tokens[:, 1:]).mean()

        loss, grads = jax.value_and_grad(loss_fn)(params)
        updates, opt_state = tx.update(grads, opt_state, params)
        return optax.apply_updates(params, updates), opt_state, loss

    for step, tokens in enumerate(batches("/mnt/crawl/2024-10", 64)):
        params, opt_state, loss = train_step(params, opt_state, tokens)
        if step % 100 == 0:
            print(step, loss)


if __name__ == "__main__":
    main()
