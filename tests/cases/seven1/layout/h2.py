import dataclasses

import tensorflow as tf
from tensorflow.keras import layers


@dataclasses.dataclass
class Config:
    data_format: str = "channels_last"
    size: int = 224
    classes: int = 100

    @property
    def input_shape(self):
        if self.data_format == "channels_first":
            return (3, self.size, self.size)
        return (self.size, self.size, 3)


def build(cfg):
    tf.keras.backend.set_image_data_format(cfg.data_format)
    return tf.keras.Sequential([
        layers.Input(cfg.input_shape),
        layers.Conv2D(32, 3, strides=2, activation="relu", data_format=cfg.data_format),
        layers.Conv2D(64, 3, strides=2, activation="relu", data_format=cfg.data_format),
        layers.GlobalAveragePooling2D(data_format=cfg.data_format),
        layers.Dense(cfg.classes),
    ])


def load(path):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    label = tf.strings.to_number(tf.strings.split(path, "/")[-2], tf.int32)
    return tf.image.resize(image, (224, 224)) / 255.0, label


cfg = Config()
ds = tf.data.Dataset.list_files("/data/pets/*/*.jpg").map(load, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.batch(64, drop_remainder=True).prefetch(tf.data.AUTOTUNE)
model = build(cfg)
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(ds, epochs=20)
