from itertools import islice

import jax
import jax.numpy as jnp
import optax
import tensorflow as tf
from tensorflow import data as tfd

CONFIG = dict(
    pattern="/data/galaxies/{}-*.tfrecord", batch_size=256, steps=20_000,
    eval_batches=50, eval_every=500,
)


def parse(record):
    row = tf.io.parse_single_example(record, {
        "png": tf.io.FixedLenFeature([], tf.string),
        "kind": tf.io.FixedLenFeature([], tf.int64),
    })
    image = tf.image.resize(tf.io.decode_png(row["png"], channels=3), [64, 64])
    return {"image": image / 255.0, "kind": row["kind"]}


def batches(cfg, split):
    training = split == "train"
    files = tfd.Dataset.list_files(cfg["pattern"].format(split), shuffle=training)
    ds = files.interleave(tfd.TFRecordDataset, num_parallel_calls=tfd.AUTOTUNE)
    if training:
        ds = ds.shuffle(20_000).repeat()
    ds = ds.map(parse, num_parallel_calls=tfd.AUTOTUNE)
    ds = ds.batch(cfg["batch_size"], drop_remainder=True)
    if not training:
        ds = ds.cache()
    return ds.prefetch(tfd.AUTOTUNE)


def logits_fn(params, image):
    return jax.nn.relu(image.reshape(len(image), -1) @ params["w1"]) @ params["w2"]


@jax.jit
def accuracy(params, batch):
    return jnp.mean(logits_fn(params, batch["image"]).argmax(-1) == batch["kind"])


def main(cfg=CONFIG):
    k1, k2 = jax.random.split(jax.random.key(0))
    params = {"w1": 0.01 * jax.random.normal(k1, (64 * 64 * 3, 512)),
              "w2": 0.01 * jax.random.normal(k2, (512, 10))}
    tx = optax.adam(1e-3)
    state = tx.init(params)

    @jax.jit
    def update(params, state, batch):
        grads = jax.grad(lambda p: optax.softmax_cross_entropy_with_integer_labels(
            logits_fn(p, batch["image"]), batch["kind"]).mean())(params)
        updates, state = tx.update(grads, state)
        return optax.apply_updates(params, updates), state

    valid = batches(cfg, "valid")
    train = batches(cfg, "train").as_numpy_iterator()
    for step, batch in zip(range(cfg["steps"]), train):
        params, state = update(params, state, batch)
        if step % cfg["eval_every"] == 0:
            part = islice(valid.as_numpy_iterator(), cfg["eval_batches"])
            print(step, sum(accuracy(params, b) for b in part) / cfg["eval_batches"])


if __name__ == "__main__":
    main()
