"""Config-driven crowd counting in mixed precision, NHWC throughout."""
import dataclasses

import tensorflow as tf


@dataclasses.dataclass
class ModelConfig:
    widths: tuple = (32, 64, 128, 128)
    data_format: str = "channels_last"
    policy: str = "mixed_float16"


class LayerFactory:
    def __init__(self, cfg):
        self.fmt = cfg.data_format
        self.axis = -1 if cfg.data_format == "channels_last" else 1

    def conv(self, width, kernel=3, **kw):
        return tf.keras.layers.Conv2D(width, kernel, padding="same", data_format=self.fmt, **kw)

    def norm(self):
        return tf.keras.layers.BatchNormalization(axis=self.axis)

    def pool(self):
        return tf.keras.layers.MaxPooling2D(data_format=self.fmt)


def density_net(cfg):
    f = LayerFactory(cfg)
    inp = tf.keras.Input((512, 512, 3))
    x = tf.keras.layers.Rescaling(1 / 255.0)(inp)
    for w in cfg.widths[:3]:
        x = f.pool()(tf.keras.layers.ReLU()(f.norm()(f.conv(w, use_bias=False)(x))))
    x = f.conv(cfg.widths[-1], activation="relu")(x)
    return tf.keras.Model(inp, f.conv(1, 1, dtype="float32", activation="softplus")(x))


def crowd(pattern, batch):
    def parse(raw):
        ex = tf.io.parse_single_example(raw, {"jpg": tf.io.FixedLenFeature([], tf.string),
                                              "density": tf.io.FixedLenFeature([], tf.string)})
        img = tf.image.resize(tf.io.decode_jpeg(ex["jpg"], channels=3), [512, 512])
        den = tf.ensure_shape(tf.io.parse_tensor(ex["density"], tf.float32), [64, 64, 1])
        return img, den

    files = tf.data.Dataset.list_files(pattern)
    ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).cache("/nvme/crowd")
    return ds.shuffle(600).batch(batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def main():
    cfg = ModelConfig()
    tf.keras.mixed_precision.set_global_policy(cfg.policy)
    model = density_net(cfg)
    model.compile(tf.keras.optimizers.AdamW(1e-4), "mse")
    model.fit(crowd("/data/jhu/train-*.tfrecord", 16), epochs=100)


if __name__ == "__main__":
    main()
