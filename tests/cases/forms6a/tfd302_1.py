import dataclasses

import numpy as np
import tensorflow as tf


@dataclasses.dataclass
class DataOptions:
    table: str = "/data/skin/train.csv"
    size: int = 160
    batch_size: int = 64
    augment: bool = True
    cache: bool = True


class LesionData:
    def __init__(self, options):
        self.options = options
        rows = np.loadtxt(options.table, delimiter=",", dtype=str, skiprows=1)
        self.paths = rows[:, 0]
        self.labels = rows[:, 1].astype(np.int32)

    def _load(self, path, label):
        image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
        image = tf.image.resize(image, [self.options.size] * 2)
        return tf.cast(image, tf.uint8), label

    def _jitter(self, image):
        image = tf.image.random_flip_left_right(image)
        image = tf.image.random_flip_up_down(image)
        return tf.image.random_brightness(image, 0.15)

    def _augment(self, image, label):
        return self._jitter(image), label

    def _scale(self, image, label):
        return tf.cast(image, tf.float32) / 255.0, label

    def dataset(self):
        ds = tf.data.Dataset.from_tensor_slices((self.paths, self.labels))
        ds = ds.map(self._load, num_parallel_calls=tf.data.AUTOTUNE)
        if self.options.augment:
            ds = ds.map(self._augment, num_parallel_calls=tf.data.AUTOTUNE)
        if self.options.cache:
            ds = ds.cache()
        ds = ds.shuffle(2_000).batch(self.options.batch_size)
        ds = ds.map(self._scale, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.prefetch(tf.data.AUTOTUNE)


def main():
    data = LesionData(DataOptions())
    model = tf.keras.applications.EfficientNetB0(
        input_shape=(160, 160, 3), weights=None, classes=7)
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(data.dataset(), epochs=80)


if __name__ == "__main__":
    main()
