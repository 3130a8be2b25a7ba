"""Road segmentation with a small U-Net."""
from dataclasses import dataclass

import tensorflow as tf


@dataclass
class Folders:
    images: str = "/data/roads/images/*.png"
    masks: str = "/data/roads/masks/*.png"
    size: int = 256


class RoadData:
    def __init__(self, folders):
        self.folders = folders

    def _branch(self, pattern, decode):
        files = tf.data.Dataset.list_files(pattern)
        return files.map(decode, num_parallel_calls=tf.data.AUTOTUNE)

    def _image(self, path):
        image = tf.io.decode_png(tf.io.read_file(path), channels=3)
        image = tf.image.convert_image_dtype(image, tf.float32)
        return tf.image.resize(image, (self.folders.size, self.folders.size))

    def _mask(self, path):
        mask = tf.io.decode_png(tf.io.read_file(path), channels=1)
        mask = tf.image.resize(mask, (self.folders.size,) * 2, method="nearest")
        return tf.cast(mask > 127, tf.float32)

    def batches(self, batch_size):
        branches = (
            self._branch(self.folders.images, self._image),
            self._branch(self.folders.masks, self._mask),
        )
        ds = tf.data.Dataset.zip(branches)
        ds = ds.batch(batch_size, drop_remainder=True)
        return ds.prefetch(tf.data.AUTOTUNE)


def unet(size):
    layers = tf.keras.layers
    inp = tf.keras.Input((size, size, 3))
    a = layers.Conv2D(32, 3, padding="same", activation="relu")(inp)
    b = layers.Conv2D(64, 3, strides=2, padding="same", activation="relu")(a)
    c = layers.Conv2D(128, 3, strides=2, padding="same", activation="relu")(b)
    d = layers.Conv2DTranspose(64, 3, strides=2, padding="same", activation="relu")(c)
    e = layers.Conv2DTranspose(32, 3, strides=2, padding="same", activation="relu")(
        layers.Concatenate()([b, d])
    )
    out = layers.Conv2D(1, 1)(layers.Concatenate()([a, e]))
    return tf.keras.Model(inp, out)


def main():
    data = RoadData(Folders())
    model = unet(data.folders.size)
    model.compile(
        optimizer=tf.keras.optimizers.Adam(3e-4),
        loss=tf.keras.losses.BinaryCrossentropy(from_logits=True),
        metrics=[tf.keras.metrics.BinaryIoU(target_class_ids=[1], threshold=0.0)],
    )
    model.fit(data.batches(8), epochs=40)


if __name__ == "__main__":
    main()
