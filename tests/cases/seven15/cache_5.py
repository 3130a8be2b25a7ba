import abc
import glob
import os

import tensorflow as tf


class PairedData(abc.ABC):
    cache_to = ""

    @abc.abstractmethod
    def source(self):
        ...

    @abc.abstractmethod
    def prepare(self, *item):
        ...

    def keep(self, ds):
        return ds.cache(self.cache_to)

    def training(self, batch, buffer):
        ds = self.keep(self.source())
        ds = ds.shuffle(buffer)
        ds = ds.map(self.prepare, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


class SuperResolution(PairedData):
    def __init__(self, root, scale=4, hr=256):
        self.root, self.scale, self.hr = root, scale, hr

    def source(self):
        hi = sorted(glob.glob(os.path.join(self.root, "HR", "*.png")))
        lo = [p.replace("/HR/", "/LR/") for p in hi]
        return tf.data.Dataset.from_tensor_slices((lo, hi))

    def prepare(self, lo, hi):
        def png(p):
            return tf.image.convert_image_dtype(tf.io.decode_png(tf.io.read_file(p), channels=3), tf.float32)
        small = tf.image.resize(png(lo), [self.hr // self.scale] * 2, method="bicubic")
        large = tf.image.resize(png(hi), [self.hr] * 2, method="bicubic", antialias=True)
        return small, large


class SRNet(tf.keras.Model):
    def __init__(self, scale):
        super().__init__()
        self.scale = scale
        self.body = [tf.keras.layers.Conv2D(64, 3, padding="same", activation="relu") for _ in range(6)]
        self.tail = tf.keras.layers.Conv2D(3 * scale * scale, 3, padding="same")

    def call(self, x):
        for layer in self.body:
            x = layer(x)
        return tf.nn.depth_to_space(self.tail(x), self.scale)


def main():
    strategy = tf.distribute.MirroredStrategy()
    data = SuperResolution("/data/div2k").training(batch=16, buffer=800)
    with strategy.scope():
        net = SRNet(4)
        net.compile(tf.keras.optimizers.Adam(1e-4), "mae")
    net.fit(data, epochs=300)


main()
