import dataclasses

import tensorflow as tf
from tensorflow.keras import layers


@dataclasses.dataclass(frozen=True)
class ModelConfig:
    size: int = 160
    classes: int = 101
    widths: tuple = (32, 64, 128, 256)
    data_format: str = "channels_first"


def build(cfg):
    axis = 1
    inputs = layers.Input((3, cfg.size, cfg.size))
    x = inputs
    for w in cfg.widths:
        x = layers.Conv2D(w, 3, strides=2, use_bias=False, data_format=cfg.data_format)(x)
        x = layers.BatchNormalization(axis=axis)(x)
        x = layers.ReLU()(x)
    x = layers.GlobalAveragePooling2D(data_format=cfg.data_format)(x)
    return tf.keras.Model(inputs, layers.Dense(cfg.classes)(x))


def dataset(pattern, cfg, batch_size):
    def load(path):
        img = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
        img = tf.image.resize(img, (cfg.size, cfg.size)) / 255.0
        label = tf.strings.to_number(tf.strings.split(path, "/")[-2], tf.int32)
        return tf.transpose(img, (2, 0, 1)), label

    ds = tf.data.Dataset.list_files(pattern).map(load, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


cfg = ModelConfig()
model = build(cfg)
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(dataset("/data/food101/*/*.jpg", cfg, 64), epochs=15)
