"""Multi-modal MR segmentation: 3-D residual U-Net, NVIDIA-style NCDHW layout."""
from dataclasses import dataclass

import tensorflow as tf


@dataclass
class RunConfig:
    pattern: str = '/data/brats_tfrecord/train_*.tfrecord'
    roi: tuple = (128, 128, 128)
    batch_size: int = 2
    layout: str = 'NCDHW'
    max_steps: int = 80000

    @property
    def data_format(self):
        return 'channels_first' if self.layout == 'NCDHW' else 'channels_last'


def make_reader(cfg):
    def read(record):
        f = tf.io.parse_single_example(record, {
            'X': tf.io.FixedLenFeature([], tf.string),
            'Y': tf.io.FixedLenFeature([], tf.string)})
        x = tf.reshape(tf.io.decode_raw(f['X'], tf.float32), (144, 144, 144, 4))
        y = tf.reshape(tf.io.decode_raw(f['Y'], tf.uint8), (144, 144, 144, 1))
        xy = tf.concat([x, tf.cast(y, tf.float32)], -1)
        xy = tf.image.random_crop(xy, cfg.roi + (5,))
        x, y = xy[..., :4], tf.cast(xy[..., 4], tf.int32)
        if cfg.data_format == 'channels_first':
            x = tf.transpose(x, (3, 0, 1, 2))
        return x, y
    return read


def loader(cfg):
    return (tf.data.Dataset.list_files(cfg.pattern)
            .interleave(tf.data.TFRecordDataset,
                        num_parallel_calls=tf.data.AUTOTUNE)
            .shuffle(64).repeat()
            .map(make_reader(cfg), num_parallel_calls=tf.data.AUTOTUNE)
            .batch(cfg.batch_size, drop_remainder=True)
            .prefetch(tf.data.AUTOTUNE))


class LayoutMixin:
    def setup(self, cfg):
        self.fmt = cfg.data_format
        self.axis = 1 if self.fmt == 'channels_first' else -1

    def conv(self, x, f, k=3, s=1):
        return tf.keras.layers.Conv3D(f, k, s, padding='same',
                                      data_format=self.fmt)(x)

    def up(self, x):
        return tf.keras.layers.UpSampling3D(2, data_format=self.fmt)(x)

    def norm(self, x):
        x = tf.keras.layers.BatchNormalization(axis=self.axis)(x)
        return tf.keras.layers.ReLU()(x)


class UNetBuilder(LayoutMixin):
    def __init__(self, cfg):
        self.setup(cfg)
        first = self.fmt == 'channels_first'
        self.shape = (4,) + cfg.roi if first else cfg.roi + (4,)

    def build(self):
        x = inp = tf.keras.Input(self.shape)
        skips = []
        for f in (32, 64, 128):
            x = self.norm(self.conv(x, f))
            skips.append(x)
            x = self.norm(self.conv(x, f * 2, s=2))
        for f, s in zip((128, 64, 32), skips[::-1]):
            x = tf.keras.layers.Concatenate(axis=self.axis)([self.up(x), s])
            x = self.norm(self.conv(x, f))
        logits = self.conv(x, 4, 1)
        if self.fmt == 'channels_first':
            logits = tf.keras.layers.Permute((2, 3, 4, 1))(logits)
        return tf.keras.Model(inp, logits)


def main():
    cfg = RunConfig()
    model = UNetBuilder(cfg).build()
    model.compile('adam', tf.keras.losses.SparseCategoricalCrossentropy(
        from_logits=True))
    model.fit(loader(cfg), steps_per_epoch=1000, epochs=cfg.max_steps // 1000)


if __name__ == '__main__':
    main()
