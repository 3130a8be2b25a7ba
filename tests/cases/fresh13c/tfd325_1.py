"""Promoter prediction: 2 kb windows of DNA, a subclassed convolutional model."""
import argparse

import tensorflow as tf


class GenomeWindows:
    """Flat binary files, about 1 million records: 2048 base codes (A, C, G, T = 0..3) and a label byte."""

    LENGTH = 2048

    def __init__(self, pattern):
        self.pattern = pattern

    def _open(self, path):
        return tf.data.FixedLengthRecordDataset(path, self.LENGTH + 1)

    def _split(self, record):
        values = tf.ensure_shape(tf.io.decode_raw(record, tf.uint8), [self.LENGTH + 1])
        return values[:-1], tf.cast(values[-1], tf.float32)

    @staticmethod
    def _encode(codes, label):
        return tf.one_hot(tf.cast(codes, tf.int32), 4), label

    def dataset(self, batch):
        ds = tf.data.Dataset.list_files(self.pattern, shuffle=False)
        ds = ds.interleave(self._open, cycle_length=8, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.map(self._split, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.map(self._encode, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.cache()
        ds = ds.shuffle(20_000)
        return ds.batch(batch).prefetch(tf.data.AUTOTUNE)


class PromoterNet(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.blocks = [tf.keras.layers.Conv1D(c, 11, strides=2, activation="relu") for c in (64, 96, 128)]
        self.pool = tf.keras.layers.GlobalMaxPooling1D()
        self.out = tf.keras.layers.Dense(1)

    def call(self, x):
        for block in self.blocks:
            x = block(x)
        return self.out(self.pool(x))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--pattern", default="/data/promoters/train-*.bin")
    parser.add_argument("--batch", type=int, default=512)
    opts = parser.parse_args()
    windows = GenomeWindows(opts.pattern)
    net = PromoterNet()
    net.compile("adam", tf.keras.losses.BinaryCrossentropy(from_logits=True), metrics=["accuracy"])
    net.fit(windows.dataset(opts.batch), epochs=15)
