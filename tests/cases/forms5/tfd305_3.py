import functools

import jax
import optax
import tensorflow as tf

from ranker import init_params, loss_fn


def bucketize(example, num_buckets, clip):
    ids = tf.strings.to_hash_bucket_fast(example["query"], num_buckets)
    score = tf.clip_by_value(example["score"], -clip, clip)
    return {"ids": ids, "score": tf.sqrt(tf.abs(score)), "label": example["label"]}


def preprocess(ds, num_buckets=100_000, clip=10.0):
    fn = functools.partial(bucketize, num_buckets=num_buckets, clip=clip)
    return ds.map(fn, num_parallel_calls=tf.data.AUTOTUNE)


def loader(columns, batch_size=2048):
    ds = tf.data.Dataset.from_tensor_slices(columns)
    ds = ds.shuffle(1_000_000, reshuffle_each_iteration=True)
    ds = ds.apply(preprocess)
    ds = ds.batch(batch_size, drop_remainder=True)
    return ds.prefetch(tf.data.AUTOTUNE).as_numpy_iterator()


def main(columns):
    params = init_params(jax.random.PRNGKey(0))
    tx = optax.adam(1e-3)
    state = tx.init(params)

    @jax.jit
    def update(params, state, batch):
        loss, grads = jax.value_and_grad(loss_fn)(params, batch)
        updates, state = tx.update(grads, state, params)
        return optax.apply_updates(params, updates), state, loss

    for epoch in range(5):
        for batch in loader(columns):
            params, state, loss = update(params, state, batch)
        print(epoch, float(loss))
