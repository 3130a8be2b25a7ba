import tensorflow as tf
from tensorflow.keras import layers

from config import UNetConfig


class UNet:
    def __init__(self, cfg):
        self.cfg = cfg
        self.axis = 1 if cfg.data_format == "channels_first" else -1

    def block(self, x, filters):
        for _ in range(2):
            x = layers.Conv2D(filters, 3, padding="same", data_format=self.cfg.data_format)(x)
            x = layers.BatchNormalization(axis=self.axis)(x)
            x = layers.ReLU()(x)
        return x

    def build(self):
        c = self.cfg
        inputs = tf.keras.Input((c.channels, c.size, c.size))
        x, skips = inputs, []
        for level in range(c.depth):
            x = self.block(x, c.base_filters * 2 ** level)
            skips.append(x)
            x = layers.MaxPooling2D(data_format=c.data_format)(x)
        x = self.block(x, c.base_filters * 2 ** c.depth)
        for level in reversed(range(c.depth)):
            x = layers.Conv2DTranspose(c.base_filters * 2 ** level, 2, strides=2, data_format=c.data_format)(x)
            x = self.block(layers.Concatenate(axis=self.axis)([x, skips[level]]), c.base_filters * 2 ** level)
        return tf.keras.Model(inputs, layers.Conv2D(1, 1, activation="sigmoid", data_format=c.data_format)(x))


def load(cfg):
    shape = [cfg.channels, cfg.size, cfg.size]
    spec = {k: tf.io.FixedLenFeature(shape, tf.float32) for k in ("slice", "mask")}
    ds = tf.data.TFRecordDataset(tf.io.gfile.glob(cfg.train_files), num_parallel_reads=tf.data.AUTOTUNE)
    ds = ds.shuffle(2000).batch(cfg.batch_size)
    ds = ds.map(lambda r: tf.io.parse_example(r, spec), num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.map(lambda ex: (ex["slice"], ex["mask"]), num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


if __name__ == "__main__":
    config = UNetConfig()
    model = UNet(config).build()
    model.compile("adam", "binary_crossentropy")
    model.fit(load(config), epochs=config.epochs)
