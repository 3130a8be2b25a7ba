"""Particle tracks: fixed-length binary events written by the detector, one file per run."""
import functools
import pathlib

import tensorflow as tf

WORDS = 96
RECORD = WORDS * 4


def event(raw):
    values = tf.io.decode_raw(raw, tf.float32)
    values = tf.reshape(values, [-1, WORDS])
    return values[:, :-1], values[:, -1:]


def run_file(path):
    return tf.data.FixedLengthRecordDataset(str(path), RECORD, header_bytes=512)


def chain(runs):
    return functools.reduce(lambda left, right: left.concatenate(right), map(run_file, runs))


class TrackData:
    def __init__(self, folder, held_out=4):
        runs = sorted(pathlib.Path(folder).glob("run_*.bin"))
        self.splits = {"fit": runs[:-held_out], "check": runs[-held_out:]}

    def load(self, split, batch=1024):
        ds = chain(self.splits[split])
        if split == "fit":
            ds = ds.shuffle(200_000)
        ds = ds.batch(batch).map(event, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.prefetch(tf.data.AUTOTUNE)


def main():
    data = TrackData("/data/detector/2023")
    net = tf.keras.Sequential([
        tf.keras.Input((WORDS - 1,)),
        tf.keras.layers.BatchNormalization(),
        tf.keras.layers.Dense(256, activation="swish"),
        tf.keras.layers.Dense(256, activation="swish"),
        tf.keras.layers.Dense(1, activation="sigmoid"),
    ])
    net.compile("adam", "binary_crossentropy", metrics=[tf.keras.metrics.AUC()])
    net.fit(data.load("fit"), validation_data=data.load("check"), epochs=20)


if __name__ == "__main__":
    main()
