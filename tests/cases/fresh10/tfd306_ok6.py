"""Next-base language model over a reference genome (one long sequence)."""
import dataclasses

import numpy as np
import tensorflow as tf


@dataclasses.dataclass(frozen=True)
class Config:
    fasta: str = "/data/hg38/chr1.npy"   # uint8 codes 0..4
    context: int = 512
    batch: int = 64
    mix: int = 20_000
    epochs: int = 3


def load_codes(path):
    return np.load(path, mmap_mode="r")[10_000:60_010_000].astype(np.uint8)


def shift(chunk):
    chunk = tf.cast(chunk, tf.int32)
    return chunk[:-1], chunk[1:]


def build_dataset(cfg: Config):
    bases = tf.data.Dataset.from_tensor_slices(load_codes(cfg.fasta))
    n = cfg.context + 1
    chunks = bases.batch(n, drop_remainder=True)
    pairs = chunks.map(shift, num_parallel_calls=tf.data.AUTOTUNE)
    pairs = pairs.cache()
    pairs = pairs.shuffle(cfg.mix)
    return pairs.batch(cfg.batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def build_model(cfg: Config):
    ids = tf.keras.Input((cfg.context,), dtype=tf.int32)
    x = tf.keras.layers.Embedding(5, 64)(ids)
    for rate in (1, 2, 4, 8, 16, 32):
        y = tf.keras.layers.Conv1D(64, 3, dilation_rate=rate, padding="causal",
                                   activation="relu")(x)
        x = tf.keras.layers.Add()([x, y])
    return tf.keras.Model(ids, tf.keras.layers.Dense(5)(x))


def main():
    cfg = Config()
    model = build_model(cfg)
    model.compile(
        optimizer=tf.keras.optimizers.Adam(3e-4),
        loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(build_dataset(cfg), epochs=cfg.epochs)


if __name__ == "__main__":
    main()
