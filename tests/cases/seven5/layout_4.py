"""WideResNet on CIFAR-100, configured by a dataclass."""
from dataclasses import dataclass

import tensorflow as tf
import keras
from keras import layers


@dataclass(frozen=True)
class Config:
    width: int = 10
    classes: int = 100
    batch_size: int = 128
    epochs: int = 200
    data_format: str = "channels_first"


class Block(layers.Layer):
    def __init__(self, filters, stride, cfg):
        super().__init__()
        axis = 1 if cfg.data_format == "channels_first" else -1
        kw = dict(padding="same", use_bias=False, data_format=cfg.data_format)
        self.bn1, self.bn2 = layers.BatchNormalization(axis=axis), layers.BatchNormalization(axis=axis)
        self.conv1 = layers.Conv2D(filters, 3, strides=stride, **kw)
        self.conv2 = layers.Conv2D(filters, 3, **kw)
        self.skip = layers.Conv2D(filters, 1, strides=stride, **kw)

    def call(self, x, training=None):
        y = self.conv1(tf.nn.relu(self.bn1(x, training=training)))
        y = self.conv2(tf.nn.relu(self.bn2(y, training=training)))
        return y + self.skip(x)


class WideResNet(keras.Model):
    def __init__(self, cfg):
        super().__init__()
        self.stem = layers.Conv2D(16, 3, padding="same", data_format=cfg.data_format)
        self.stack = [Block(16 * cfg.width * 2**i, 1 + (i > 0), cfg) for i in range(3)]
        self.pool = layers.GlobalAveragePooling2D(data_format=cfg.data_format)
        self.head = layers.Dense(cfg.classes, dtype="float32")

    def call(self, x, training=None):
        x = self.stem(x)
        for block in self.stack:
            x = block(x, training=training)
        return self.head(self.pool(x))


def pipeline(images, labels, cfg):
    def prepare(x, y):
        x = tf.cast(tf.image.random_flip_left_right(x), tf.float32) / 255.0
        if cfg.data_format == "channels_first":
            x = tf.transpose(x, (0, 3, 1, 2))
        return x, y

    ds = tf.data.Dataset.from_tensor_slices((images, labels)).shuffle(50_000).batch(cfg.batch_size)
    return ds.map(prepare, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


if __name__ == "__main__":
    keras.mixed_precision.set_global_policy("mixed_float16")
    cfg = Config()
    (x, y), _ = keras.datasets.cifar100.load_data()
    model = WideResNet(cfg)
    model.compile("sgd", keras.losses.SparseCategoricalCrossentropy(from_logits=True), ["accuracy"])
    model.fit(pipeline(x, y, cfg), epochs=cfg.epochs)
