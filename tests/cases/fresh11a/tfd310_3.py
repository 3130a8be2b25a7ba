import csv

import jax
import tensorflow as tf


def read_index(path):
    with open(path, newline="") as f:
        rows = [(r["path"], int(r["label"])) for r in csv.DictReader(f)]
    return tuple(map(list, zip(*rows)))


def split_by_process(ds):
    if jax.process_count() > 1:
        ds = ds.shard(jax.process_count(), jax.process_index())
    return ds


def load(path, label):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.resize(image, [224, 224]) / 255.0, label


def batches(index, training, local_batch):
    paths, labels = read_index(index)
    ds = tf.data.Dataset.from_tensor_slices((paths, labels))
    ds = split_by_process(ds)
    if training:
        ds = ds.shuffle(len(paths), reshuffle_each_iteration=True)
    ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(local_batch, drop_remainder=True)
    return ds.prefetch(tf.data.AUTOTUNE)


def run(update, state, index, epochs, global_batch=1024):
    ds = batches(index, True, global_batch // jax.process_count())
    for _ in range(epochs):
        for images, labels in ds.as_numpy_iterator():
            state = update(state, images, labels)
    return state
