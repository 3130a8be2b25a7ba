import enum

import keras
import tensorflow as tf


class Layout(str, enum.Enum):
    PLANES = "channels_first"
    PIXELS = "channels_last"

    @property
    def axis(self):
        return {Layout.PLANES: 1, Layout.PIXELS: -1}[self]


ARCH = [("stem", 32), ("sep", 64), ("sep", 128), ("down", 128), ("sep", 256), ("down", 256), ("sep", 512), ("pool",)]


def build(arch, layout, classes):
    kw = {"data_format": layout.value, "padding": "same"}
    inputs = x = keras.Input((3, 128, 128) if layout is Layout.PLANES else (128, 128, 3))
    for block in arch:
        match block:
            case ("stem", width):
                x = keras.layers.Conv2D(width, 3, strides=2, **kw)(x)
            case ("sep", width):
                x = keras.layers.DepthwiseConv2D(3, **kw)(x)
                x = keras.layers.Conv2D(width, 1, **kw)(x)
                x = keras.layers.ReLU()(keras.layers.GroupNormalization(8, axis=layout.axis)(x))
            case ("down", _):
                x = keras.layers.AveragePooling2D(2, **kw)(x)
            case ("pool",):
                x = keras.layers.GlobalAveragePooling2D(data_format=layout.value)(x)
    return keras.Model(inputs, keras.layers.Dense(classes, dtype="float32")(x))


class Signs:
    layout = Layout.PLANES

    def __init__(self, pattern):
        self.files = tf.data.Dataset.list_files(pattern)

    def read(self, path):
        image = tf.io.decode_png(tf.io.read_file(path), channels=3)
        image = tf.image.random_brightness(tf.image.resize(image, (128, 128)) / 255.0, 0.2)
        return image, tf.strings.to_number(tf.strings.split(path, "/")[-2], tf.int32)

    def planes(self, images, signs):
        return tf.einsum("bhwc->bchw", images), signs

    def __call__(self, batch):
        ds = self.files.map(self.read, num_parallel_calls=tf.data.AUTOTUNE).batch(batch)
        return ds.map(self.planes, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


keras.mixed_precision.set_global_policy("mixed_float16")
model = build(ARCH, Signs.layout, 43)
model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
model.fit(Signs("/data/gtsrb/train/*/*.png")(256), epochs=100)
