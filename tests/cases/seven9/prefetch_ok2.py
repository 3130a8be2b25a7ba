"""Land-cover segmentation on Sentinel-2 tiles (BigEarthNet style shards)."""
from dataclasses import dataclass, field
from typing import List

import tensorflow as tf


@dataclass
class DataConfig:
    shards: List[str] = field(default_factory=lambda: [
        f'gs://rs-tiles/s2/train-{i:05d}.tfrecord' for i in range(512)])
    batch: int = 64
    bands: int = 12
    tile: int = 120
    prefetch: int = 4


class TileLoader:
    def __init__(self, cfg: DataConfig):
        self.cfg = cfg

    def _parse(self, raw):
        c = self.cfg
        ex = tf.io.parse_single_example(raw, {
            'bands': tf.io.FixedLenFeature([], tf.string),
            'mask': tf.io.FixedLenFeature([], tf.string)})
        x = tf.io.decode_raw(ex['bands'], tf.uint16)
        x = tf.reshape(x, (c.tile, c.tile, c.bands))
        y = tf.reshape(tf.io.decode_raw(ex['mask'], tf.uint8), (c.tile, c.tile))
        return tf.cast(x, tf.float32) / 10000.0, y

    def __call__(self, training=True):
        options = tf.data.Options()
        options.experimental_deterministic = not training
        ds = tf.data.Dataset.from_tensor_slices(self.cfg.shards)
        ds = ds.interleave(tf.data.TFRecordDataset, cycle_length=16,
                           num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.map(self._parse, num_parallel_calls=tf.data.AUTOTUNE)
        if training:
            ds = ds.shuffle(2000).repeat()
        ds = ds.batch(self.cfg.batch, drop_remainder=True)
        if self.cfg.prefetch > 0:
            ds = ds.prefetch(self.cfg.prefetch)
        return ds.with_options(options)


def fcn(cfg):
    inp = tf.keras.Input((cfg.tile, cfg.tile, cfg.bands))
    x = inp
    for rate in (1, 2, 4, 8):
        x = tf.keras.layers.Conv2D(96, 3, padding='same', dilation_rate=rate,
                                   activation='relu')(x)
    return tf.keras.Model(inp, tf.keras.layers.Conv2D(43, 1)(x))


def main():
    cfg = DataConfig()
    strategy = tf.distribute.MirroredStrategy()
    with strategy.scope():
        model = fcn(cfg)
        model.compile('adam', tf.keras.losses.SparseCategoricalCrossentropy(
            from_logits=True))
    model.fit(TileLoader(cfg)(), steps_per_epoch=8000, epochs=30)


if __name__ == '__main__':
    main()
