"""Thermal cameras: a subclassed Keras model, layers from a small factory."""
import glob

import tensorflow as tf


class LayerFactory:
    image_format = "channels_last"

    @property
    def channel_axis(self):
        return 1 if self.image_format == "channels_first" else -1

    def conv(self, filters, size, strides=1):
        return tf.keras.layers.Conv2D(filters, size, strides, padding="same",
                                      use_bias=False, data_format=self.image_format)

    def norm(self):
        return tf.keras.layers.BatchNormalization(axis=self.channel_axis)

    def pool(self):
        return tf.keras.layers.AveragePooling2D(2, data_format=self.image_format)


class PlanarFactory(LayerFactory):
    image_format = "channels_first"


class ThermalNet(tf.keras.Model):
    def __init__(self, make: LayerFactory, classes=12):
        super().__init__()
        self.planes = tf.keras.layers.Permute((3, 1, 2))
        self.stack = [layer for width in (32, 64, 128) for layer in
                      (make.conv(width, 3), make.norm(), tf.keras.layers.ReLU(), make.pool())]
        self.top = tf.keras.layers.GlobalMaxPooling2D(data_format=make.image_format)
        self.head = tf.keras.layers.Dense(classes)

    def call(self, frames, training=False):
        x = self.planes(frames)
        for layer in self.stack:
            norm = isinstance(layer, tf.keras.layers.BatchNormalization)
            x = layer(x, training=training) if norm else layer(x)
        return self.head(self.top(x))


def frames(root, batch_size=128):
    def load(path):
        label = tf.strings.to_number(tf.strings.split(path, "/")[-2], tf.int32)
        frame = tf.io.decode_png(tf.io.read_file(path), 1, tf.uint16)
        return tf.image.resize(tf.cast(frame, tf.float32) / 65535.0, (240, 320)), label

    files = glob.glob(f"{root}/*/*.png")  # 85k frames
    ds = tf.data.Dataset.from_tensor_slices(files).shuffle(len(files))
    ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def main():
    strategy = tf.distribute.MirroredStrategy()  # 4x A100, TF32
    with strategy.scope():
        model = ThermalNet(PlanarFactory())
        model.compile(tf.keras.optimizers.AdamW(1e-3),
                      tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(frames("/data/thermal"), epochs=25)


if __name__ == "__main__":
    main()
