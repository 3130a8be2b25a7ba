import dataclasses

import tensorflow as tf


@dataclasses.dataclass
class UNetConfig:
    filters: tuple = (32, 64, 128)
    data_format: str = "channels_first"
    classes: int = 21


class Block(tf.keras.layers.Layer):
    def __init__(self, filters, data_format):
        super().__init__()
        axis = 1 if data_format == "channels_first" else -1
        self.conv = tf.keras.layers.Conv2D(
            filters, 3, padding="same", use_bias=False, data_format=data_format)
        self.norm = tf.keras.layers.BatchNormalization(axis=axis)

    def call(self, x, training=False):
        return tf.nn.relu(self.norm(self.conv(x), training=training))


class Segmenter(tf.keras.Model):
    def __init__(self, cfg):
        super().__init__()
        self.blocks = [Block(f, cfg.data_format) for f in cfg.filters]
        self.head = tf.keras.layers.Conv2D(cfg.classes, 1, data_format=cfg.data_format)

    def call(self, x, training=False):
        for block in self.blocks:
            x = block(x, training=training)
        return tf.transpose(self.head(x), (0, 2, 3, 1))


def load(image, mask):
    image = tf.image.resize(tf.io.decode_jpeg(tf.io.read_file(image), 3), (256, 256))
    mask = tf.image.resize(tf.io.decode_png(tf.io.read_file(mask), 1), (256, 256), "nearest")
    return tf.transpose(image / 255.0, (2, 0, 1)), mask


images = sorted(tf.io.gfile.glob("/data/voc/images/*.jpg"))
masks = sorted(tf.io.gfile.glob("/data/voc/masks/*.png"))
ds = tf.data.Dataset.from_tensor_slices((images, masks)).shuffle(len(images))
ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE).batch(16).prefetch(2)
model = Segmenter(UNetConfig())
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(ds, epochs=80)
