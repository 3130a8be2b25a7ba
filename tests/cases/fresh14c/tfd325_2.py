import argparse
from functools import partial

import numpy as np
import tensorflow as tf

WINDOW = 256


def read_day(path):
    raw = tf.io.decode_raw(tf.io.read_file(path), tf.float32)
    return tf.reshape(raw, [1440 * 4])


def standardise(day, mean, std):
    return (day - mean) / std


def windows(day, length, hop):
    return tf.signal.frame(day, frame_length=length, frame_step=hop)


def split_target(window):
    return window[:-1, None], window[-1]


class Plan:
    """Named stages that are applied to the list of day files in turn."""

    def __init__(self, stages):
        self.stages = stages

    def __call__(self, ds):
        for stage in self.stages:
            ds = stage(ds)
        return ds


def parallel(fn):
    return lambda ds: ds.map(fn, num_parallel_calls=tf.data.AUTOTUNE)


def plan(args, mean, std):
    return Plan(
        [
            parallel(read_day),
            parallel(partial(standardise, mean=mean, std=std)),
            parallel(partial(windows, length=WINDOW, hop=1)),
            lambda ds: ds.cache(),
            lambda ds: ds.shuffle(365),
            lambda ds: ds.unbatch(),
            lambda ds: ds.shuffle(20_000),
            parallel(split_target),
            lambda ds: ds.batch(args.batch_size, drop_remainder=True),
            lambda ds: ds.prefetch(tf.data.AUTOTUNE),
        ]
    )


def statistics(files):
    sample = np.concatenate([np.fromfile(name, dtype=np.float32) for name in files[:30]])
    return float(sample.mean()), float(sample.std())


def forecaster():
    return tf.keras.Sequential(
        [
            tf.keras.Input([WINDOW - 1, 1]),
            tf.keras.layers.Conv1D(32, 7, activation="relu"),
            tf.keras.layers.GRU(64),
            tf.keras.layers.Dense(1),
        ]
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--days", default="meter/2023-*.f32")
    parser.add_argument("--batch-size", type=int, default=256)
    parser.add_argument("--epochs", type=int, default=10)
    options = parser.parse_args()
    names = sorted(tf.io.gfile.glob(options.days))
    series = plan(options, *statistics(names))(tf.data.Dataset.from_tensor_slices(names))
    model = forecaster()
    model.compile("adam", "mae")
    model.fit(series, epochs=options.epochs)
