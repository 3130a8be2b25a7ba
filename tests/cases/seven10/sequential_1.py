"""Product photographs: dataclass settings, loader class, Keras fit."""
import dataclasses
import glob
from typing import Optional

import tensorflow as tf


@dataclasses.dataclass(frozen=True)
class LoaderConfig:
    root: str = "/data/products"
    image_size: int = 256
    batch_size: int = 96
    num_workers: Optional[int] = None
    buffer: int = tf.data.AUTOTUNE


class ProductLoader:
    def __init__(self, config, classes):
        self.config = config
        self.table = tf.constant(classes)

    def _parse(self, path):
        name = tf.strings.split(path, "/")[-2]
        image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
        image = tf.image.resize(image, [self.config.image_size] * 2, antialias=True)
        return image / 255.0, tf.argmax(tf.cast(self.table == name, tf.int32))

    def _files(self, split):
        files = glob.glob(f"{self.config.root}/{split}/*/*.jpg")
        return tf.data.Dataset.from_tensor_slices(files).shuffle(len(files))

    def dataset(self, split):
        ds = self._files(split)
        ds = ds.map(self._parse, num_parallel_calls=self.config.num_workers)
        ds = ds.batch(self.config.batch_size, drop_remainder=True)
        return ds.prefetch(self.config.buffer)


def main():
    config = LoaderConfig()
    classes = ["bag", "belt", "boot", "coat", "hat", "scarf", "shirt"]
    loader = ProductLoader(config, classes)
    model = tf.keras.applications.EfficientNetB0(
        weights=None, input_shape=(256, 256, 3), classes=len(classes))
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(loader.dataset("train"), validation_data=loader.dataset("val"), epochs=25)


if __name__ == "__main__":
    main()
