"""Gene expression from 131 kb of sequence."""
from dataclasses import dataclass
from typing import Callable, List

import tensorflow as tf

LENGTH = 131_072
BASES = tf.constant([65, 67, 71, 84], tf.uint8)
TRACKS, BINS = 64, 128


@dataclass
class Step:
    name: str
    act: Callable


def parse(blob):
    row = tf.io.parse_single_example(blob, {
        "sequence": tf.io.FixedLenFeature([], tf.string),
        "target": tf.io.FixedLenFeature([], tf.string),
    })
    target = tf.io.parse_tensor(row["target"], tf.float16)
    return row["sequence"], tf.reshape(target, [BINS, TRACKS])


def one_hot(sequence, target):
    letters = tf.io.decode_raw(sequence, tf.uint8)
    hot = tf.cast(letters[:, None] == BASES[None, :], tf.float32)
    return tf.ensure_shape(hot, [LENGTH, 4]), tf.cast(target, tf.float32)


def mapped(fn):
    return Step(fn.__name__, lambda ds: ds.map(fn, num_parallel_calls=tf.data.AUTOTUNE))


def mixed(n):
    return Step("mix", lambda ds: ds.shuffle(n))


def grouped(n):
    return Step("group", lambda ds: ds.batch(n, drop_remainder=True))


TRAIN: List[Step] = [
    mixed(2048),
    mapped(parse),
    mapped(one_hot),
    grouped(4),
    Step("ahead", lambda ds: ds.prefetch(tf.data.AUTOTUNE)),
]


def build(pattern, steps):
    files = tf.data.Dataset.list_files(pattern)
    ds = files.interleave(
        lambda f: tf.data.TFRecordDataset(f, compression_type="ZLIB"),
        num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
    for step in steps:
        ds = step.act(ds)
    return ds


def basenji():
    inp = tf.keras.Input((LENGTH, 4))
    x = tf.keras.layers.Conv1D(64, 15, padding="same", activation="gelu")(inp)
    for width in (64, 96, 128, 160, 192):
        x = tf.keras.layers.MaxPooling1D(4)(x)
        x = tf.keras.layers.Conv1D(width, 5, padding="same", activation="gelu")(x)
    return tf.keras.Model(inp, tf.keras.layers.Conv1D(TRACKS, 1, activation="softplus")(x))


if __name__ == "__main__":
    model = basenji()
    model.compile(tf.keras.optimizers.Adam(5e-4), "poisson")
    model.fit(build("basenji/train-*.tfr", TRAIN), epochs=10)
