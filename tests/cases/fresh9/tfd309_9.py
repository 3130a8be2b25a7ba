"""Language model input for multi-host JAX on TPU pods."""
import functools
from functools import partial

import jax
import numpy as np
import tensorflow as tf

SEQ = 2048


def read(files):
    return tf.data.TFRecordDataset(files, num_parallel_reads=32)


def tokens(record):
    ex = tf.io.parse_single_example(record, {"ids": tf.io.VarLenFeature(tf.int64)})
    return tf.cast(tf.sparse.to_dense(ex["ids"]), tf.int32)


def decode(ds):
    return ds.map(tokens, num_parallel_calls=tf.data.AUTOTUNE)


def pack(ds):
    return ds.unbatch().batch(SEQ + 1, drop_remainder=True)


def per_host(ds, count, index):
    return ds.shard(num_shards=count, index=index)


def build(files, batch_size, seed=0):
    stages = [
        read,
        decode,
        partial(per_host, count=jax.process_count(), index=jax.process_index()),
        pack,
        lambda ds: ds.shuffle(10_000, seed=seed),
        lambda ds: ds.batch(batch_size // jax.process_count(), drop_remainder=True),
        lambda ds: ds.prefetch(tf.data.AUTOTUNE),
    ]
    return functools.reduce(lambda data, stage: stage(data), stages, files)


def train(step_fn, state, total_steps):
    files = sorted(tf.io.gfile.glob("gs://c4-tokens/en/train-*.tfrecord"))
    data = build(files, batch_size=1024)
    for step, batch in zip(range(total_steps), data.as_numpy_iterator()):
        state, loss = step_fn(state, np.asarray(batch[:, :-1]), np.asarray(batch[:, 1:]))
        if step % 100 == 0 and jax.process_index() == 0:
            print(step, float(loss))
    return state
