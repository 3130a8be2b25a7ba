from dataclasses import dataclass
from functools import partial

import tensorflow as tf
from tensorflow.keras import layers


@dataclass(frozen=True)
class UNetConfig:
    base: int = 16
    depth: int = 4
    n_classes: int = 4
    crop: tuple = (128, 128, 128)
    modalities: int = 4
    data_format: str = "channels_first"
    precision: str = "mixed_float16"

    @property
    def channel_axis(self):
        return 1 if self.data_format == "channels_first" else -1


class UNet3D:
    def __init__(self, cfg):
        self.cfg = cfg
        self.conv = partial(layers.Conv3D, padding="same", data_format=cfg.data_format)
        self.pool = partial(layers.MaxPooling3D, pool_size=2, data_format=cfg.data_format)
        self.up = partial(layers.UpSampling3D, size=2, data_format=cfg.data_format)

    def stage(self, x, filters):
        for _ in range(2):
            x = self.conv(filters, 3)(x)
            x = layers.BatchNormalization(axis=self.cfg.channel_axis)(x)
            x = layers.LeakyReLU()(x)
        return x

    def build(self):
        cfg, skips = self.cfg, []
        inp = x = layers.Input((cfg.modalities, *cfg.crop))
        for d in range(cfg.depth):
            x = self.stage(x, cfg.base << d)
            skips.append(x)
            x = self.pool()(x)
        x = self.stage(x, cfg.base << cfg.depth)
        for d in reversed(range(cfg.depth)):
            x = layers.Concatenate(axis=cfg.channel_axis)([self.up()(x), skips[d]])
            x = self.stage(x, cfg.base << d)
        out = self.conv(cfg.n_classes, 1, dtype="float32", activation="sigmoid")(x)
        return tf.keras.Model(inp, out)


def brats(pattern, cfg, batch):
    spec = {"x": tf.io.FixedLenFeature([], tf.string), "y": tf.io.FixedLenFeature([], tf.string)}

    def parse(rec):
        ex = tf.io.parse_single_example(rec, spec)
        x = tf.reshape(tf.io.decode_raw(ex["x"], tf.float32), (cfg.modalities, 155, 240, 240))
        y = tf.reshape(tf.io.decode_raw(ex["y"], tf.uint8), (cfg.n_classes, 155, 240, 240))
        both = tf.concat([x, tf.cast(y, tf.float32)], 0)
        both = tf.image.random_crop(both, (cfg.modalities + cfg.n_classes, *cfg.crop))
        return both[: cfg.modalities], both[cfg.modalities:]

    ds = tf.data.TFRecordDataset(
        tf.io.gfile.glob(pattern), compression_type="GZIP", num_parallel_reads=tf.data.AUTOTUNE
    )
    ds = ds.shuffle(64).map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def main():
    cfg = UNetConfig()
    tf.keras.mixed_precision.set_global_policy(cfg.precision)
    model = UNet3D(cfg).build()
    model.compile(tf.keras.optimizers.Adam(1e-4), tf.keras.losses.Dice())
    model.fit(brats("/data/brats/train-*.tfrecord.gz", cfg, 2), epochs=300)


if __name__ == "__main__":
    main()
