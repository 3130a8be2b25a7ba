import numpy as np
import tensorflow as tf
from tensorflow.data import AUTOTUNE

MASK_ID = 103


def make_masker(rate, seq_len, rng):
    def positions():
        return rng.random(seq_len) < rate

    def mask(ids):
        chosen = tf.constant(positions())
        inputs = tf.where(chosen, tf.constant(MASK_ID, ids.dtype), ids)
        return inputs, ids, tf.cast(chosen, tf.float32)

    return mask


def parse(serialized):
    ex = tf.io.parse_single_example(
        serialized, {"ids": tf.io.FixedLenFeature([128], tf.int64)})
    return ex["ids"]


def mlm_dataset(pattern, batch_size, rate=0.15):
    masker = make_masker(rate, 128, np.random.default_rng(17))
    files = tf.data.Dataset.list_files(pattern)
    return (
        files.interleave(tf.data.TFRecordDataset, num_parallel_calls=AUTOTUNE)
        .shuffle(100_000)
        .map(lambda rec: masker(parse(rec)), num_parallel_calls=AUTOTUNE)
        .batch(batch_size, drop_remainder=True)
        .prefetch(AUTOTUNE)
    )


def main():
    model = tf.keras.Sequential([
        tf.keras.layers.Embedding(30522, 256),
        tf.keras.layers.Bidirectional(tf.keras.layers.LSTM(256, return_sequences=True)),
        tf.keras.layers.Dense(30522),
    ])
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(mlm_dataset("/data/mlm/*.tfrecord", 128), epochs=3)


if __name__ == "__main__":
    main()
