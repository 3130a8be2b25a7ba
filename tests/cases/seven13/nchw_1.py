"""Mixed-precision WideResNet on GPUs, functional builder with config."""
import dataclasses

import tensorflow as tf
from tensorflow.keras import layers


@dataclasses.dataclass
class WRNConfig:
    depth: int = 28
    widen: int = 10
    classes: int = 200
    data: str = "/data/tiny_imagenet/train-*.tfrecord"
    batch: int = 256


CONV = dict(padding="same", use_bias=False, kernel_initializer="he_normal",
            data_format="channels_first")


def block(x, filters, stride):
    y = layers.Activation("relu")(layers.BatchNormalization(axis=1)(x))
    shortcut = x
    if stride != 1 or x.shape[1] != filters:
        shortcut = layers.Conv2D(filters, 1, strides=stride, **CONV)(y)
    y = layers.Conv2D(filters, 3, strides=stride, **CONV)(y)
    y = layers.Activation("relu")(layers.BatchNormalization(axis=1)(y))
    y = layers.Conv2D(filters, 3, **CONV)(y)
    return layers.Add()([shortcut, y])


def wide_resnet(cfg):
    inp = tf.keras.Input([3, 64, 64], dtype="float32")
    x = layers.Conv2D(16, 3, **CONV)(layers.Rescaling(1 / 255.0)(inp))
    for i, filters in enumerate((16, 32, 64)):
        for j in range((cfg.depth - 4) // 6):
            x = block(x, filters * cfg.widen, 2 if i and j == 0 else 1)
    x = layers.GlobalAveragePooling2D(data_format="channels_first")(x)
    return tf.keras.Model(inp, layers.Dense(cfg.classes, dtype="float32")(x))


def images(cfg):
    """Records already hold CHW bytes (written by the export job)."""
    def unpack(batch):
        ex = tf.io.parse_example(batch, {
            "chw": tf.io.FixedLenFeature([], tf.string), "y": tf.io.FixedLenFeature([], tf.int64)})
        return tf.reshape(tf.io.decode_raw(ex["chw"], tf.uint8), [-1, 3, 64, 64]), ex["y"]
    ds = tf.data.TFRecordDataset(tf.io.gfile.glob(cfg.data), num_parallel_reads=tf.data.AUTOTUNE)
    ds = ds.cache().shuffle(100_000).batch(cfg.batch, drop_remainder=True)
    return ds.map(unpack, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


if __name__ == "__main__":
    tf.keras.mixed_precision.set_global_policy("mixed_float16")
    cfg = WRNConfig()
    net = wide_resnet(cfg)
    net.compile(tf.keras.optimizers.SGD(0.1, momentum=0.9),
                tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    net.fit(images(cfg), epochs=200)
