"""Keyword spotting: log-mel spectrograms from TFRecords with SpecAugment."""
import argparse

import tensorflow as tf
from tensorflow import keras

N_FRAMES, N_MELS, N_WORDS = 98, 64, 35


class SpecAugment:
    def __init__(self, max_time=20, max_freq=8, seed=11):
        self.max_time = max_time
        self.max_freq = max_freq
        self.seed = tf.constant([seed, 0], tf.int32)

    def _mask(self, length, max_width):
        draw = tf.random.stateless_uniform([2], seed=self.seed)
        width = tf.cast(draw[0] * float(max_width), tf.int32)
        start = tf.cast(draw[1] * tf.cast(length - width, tf.float32), tf.int32)
        pos = tf.range(length)
        return tf.cast((pos < start) | (pos >= start + width), tf.float32)

    def __call__(self, spec, label):
        spec *= self._mask(N_FRAMES, self.max_time)[:, None]
        spec *= self._mask(N_MELS, self.max_freq)[None, :]
        return spec, label


def parse(record):
    ex = tf.io.parse_single_example(record, {
        "logmel": tf.io.FixedLenFeature([N_FRAMES * N_MELS], tf.float32),
        "word": tf.io.FixedLenFeature([], tf.int64),
    })
    return tf.reshape(ex["logmel"], [N_FRAMES, N_MELS]), ex["word"]


def make_train(pattern, batch):
    files = tf.data.Dataset.list_files(pattern, shuffle=True)
    ds = files.interleave(tf.data.TFRecordDataset, cycle_length=8,
                          num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
    ds = ds.shuffle(20_000).map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.map(SpecAugment(), num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--data", default="/data/speech/train-*.tfrecord")
    ap.add_argument("--epochs", type=int, default=30)
    args = ap.parse_args()
    model = keras.Sequential([
        keras.Input((N_FRAMES, N_MELS)),
        keras.layers.GRU(128, return_sequences=True),
        keras.layers.GRU(128),
        keras.layers.Dense(N_WORDS),
    ])
    model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(make_train(args.data, 256), epochs=args.epochs)


if __name__ == "__main__":
    main()
