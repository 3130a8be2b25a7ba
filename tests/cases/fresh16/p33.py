"""Masked language modelling on one host with 8 GPUs."""
from dataclasses import dataclass

import tensorflow as tf


@dataclass
class MlmConfig:
    pattern: str = "/ssd/wiki/ids-*.tfrecord"
    length: int = 256
    vocab: int = 32_000
    sentences_per_gpu: int = 24
    mask_rate: float = 0.15
    epochs: int = 4

    def batch_for(self, strategy):
        return self.sentences_per_gpu * strategy.num_replicas_in_sync


class MaskedSentences:
    def __init__(self, cfg, batch):
        self.cfg = cfg
        self.batch = batch

    def _parse(self, blobs):
        rows = tf.io.parse_example(
            blobs, {"ids": tf.io.FixedLenFeature([self.cfg.length], tf.int64)})
        return rows["ids"]

    def _mask(self, ids):
        hide = tf.random.uniform(tf.shape(ids)) < self.cfg.mask_rate
        return tf.where(hide, tf.ones_like(ids), ids), ids, tf.cast(hide, tf.float32)

    def dataset(self):
        files = tf.data.Dataset.list_files(self.cfg.pattern)
        ds = files.interleave(tf.data.TFRecordDataset, cycle_length=16,
                              num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
        ds = ds.shuffle(50_000).batch(self.batch, drop_remainder=True)
        ds = ds.map(self._parse, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.map(self._mask, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.prefetch(tf.data.AUTOTUNE)


def encoder(cfg):
    ids = tf.keras.Input((cfg.length,), dtype="int64")
    x = tf.keras.layers.Embedding(cfg.vocab, 512)(ids)
    for _ in range(6):
        a = tf.keras.layers.MultiHeadAttention(8, 64)(x, x)
        x = tf.keras.layers.LayerNormalization()(x + a)
        f = tf.keras.layers.Dense(2048, activation="gelu")(x)
        x = tf.keras.layers.LayerNormalization()(x + tf.keras.layers.Dense(512)(f))
    return tf.keras.Model(ids, tf.keras.layers.Dense(cfg.vocab)(x))


def pretrain(cfg):
    strategy = tf.distribute.MirroredStrategy([f"GPU:{i}" for i in range(8)])
    with strategy.scope():
        model = encoder(cfg)
        model.compile(
            tf.keras.optimizers.Adam(1e-4 * strategy.num_replicas_in_sync),
            tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(MaskedSentences(cfg, cfg.batch_for(strategy)).dataset(), epochs=cfg.epochs)
    return model


if __name__ == "__main__":
    pretrain(MlmConfig()).save("mlm.keras")
