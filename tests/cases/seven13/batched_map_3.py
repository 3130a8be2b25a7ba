"""Ads ranking over TFRecords of fixed-width features."""
import dataclasses
from typing import Dict

import tensorflow as tf


@dataclasses.dataclass
class RankConfig:
    pattern: str = "gs://ads/examples/train-*.tfrecord"
    batch: int = 4096
    vocab: int = 2_000_000
    dim: int = 32
    train_steps: int = 500_000


FEATURES: Dict[str, tf.io.FixedLenFeature] = {
    "user": tf.io.FixedLenFeature([], tf.int64),
    "ad": tf.io.FixedLenFeature([], tf.int64),
    "context": tf.io.FixedLenFeature([24], tf.float32),
    "clicked": tf.io.FixedLenFeature([], tf.float32),
}


def parse(serialized):
    example = tf.io.parse_single_example(serialized, FEATURES)
    return example, example.pop("clicked")


def input_pipeline(cfg, ctx=None):
    files = tf.data.Dataset.list_files(cfg.pattern)
    batch = cfg.batch
    if ctx is not None:
        files = files.shard(ctx.num_input_pipelines, ctx.input_pipeline_id)
        batch = ctx.get_per_replica_batch_size(cfg.batch)
    ds = files.repeat().interleave(
        tf.data.TFRecordDataset, cycle_length=32, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
    ds = ds.shuffle(500_000)
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(batch, drop_remainder=True)
    return ds.prefetch(tf.data.AUTOTUNE)


class RankModel(tf.keras.Model):
    def __init__(self, cfg):
        super().__init__()
        self.user = tf.keras.layers.Embedding(cfg.vocab, cfg.dim)
        self.ad = tf.keras.layers.Embedding(cfg.vocab, cfg.dim)
        self.mlp = tf.keras.Sequential([
            tf.keras.layers.Dense(256, activation="relu"),
            tf.keras.layers.Dense(64, activation="relu"),
            tf.keras.layers.Dense(1)])

    def call(self, f):
        x = tf.concat([self.user(f["user"]), self.ad(f["ad"]), f["context"]], -1)
        return tf.squeeze(self.mlp(x), -1)


def main(cfg=RankConfig()):
    strategy = tf.distribute.MirroredStrategy()
    with strategy.scope():
        model = RankModel(cfg)
        model.compile("adam", tf.keras.losses.BinaryCrossentropy(from_logits=True))
    data = strategy.distribute_datasets_from_function(lambda ctx: input_pipeline(cfg, ctx))
    model.fit(data, steps_per_epoch=5000, epochs=cfg.train_steps // 5000)


if __name__ == "__main__":
    main()
