"""Multi-host JAX ViT pretraining input: ImageNet-21k shards on GCS."""
import jax
import numpy as np
import tensorflow as tf

GLOB = "gs://in21k/train-*-of-02048.tfrecord"


def parse(raw, size=224):
    ex = tf.io.parse_single_example(raw, {
        "image/encoded": tf.io.FixedLenFeature([], tf.string),
        "image/class/label": tf.io.FixedLenFeature([], tf.int64),
    })
    img = tf.io.decode_jpeg(ex["image/encoded"], channels=3)
    img = tf.image.resize(img, (size, size))
    return {"image": img / 127.5 - 1.0, "label": ex["image/class/label"]}


def per_host(ds):
    """Every host sees its own part of the data."""
    return ds.shard(jax.process_count(), jax.process_index())


def train_iterator(global_batch, seed):
    local = global_batch // jax.process_count()
    files = tf.data.Dataset.list_files(GLOB, shuffle=True, seed=seed)
    ds = files.interleave(tf.data.TFRecordDataset, cycle_length=16,
                          num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    ds = per_host(ds)
    ds = ds.shuffle(8192, seed=seed).repeat()
    ds = ds.batch(local, drop_remainder=True).prefetch(4)

    n = jax.local_device_count()
    for batch in ds.as_numpy_iterator():
        yield jax.tree_util.tree_map(
            lambda a: a.reshape((n, a.shape[0] // n) + a.shape[1:]), batch)


def train(state, p_update, steps=300_000, global_batch=4096):
    it = train_iterator(global_batch, seed=17)
    for step, batch in zip(range(steps), it):
        state, metrics = p_update(state, batch)
        if step % 500 == 0 and jax.process_index() == 0:
            print(step, np.mean(jax.device_get(metrics["loss"])))
    return state
