import dataclasses

import numpy as np
import tensorflow as tf


@dataclasses.dataclass
class AugmentConfig:
    crop: int = 192
    brightness: float = 0.2
    gamma: tuple[float, float] = (0.8, 1.2)


class RetinaPipeline:
    def __init__(self, files, labels, config, seed=1234):
        self.files = files
        self.labels = labels
        self.config = config
        self.rng = np.random.default_rng(seed)

    def _read(self, path, label):
        image = tf.io.decode_png(tf.io.read_file(path), channels=3)
        image = tf.image.resize(image, [256, 256]) / 255.0
        return image, label

    def _gamma(self):
        low, high = self.config.gamma
        return self.rng.uniform(low, high)

    def _augment(self, image, label):
        size = self.config.crop
        image = tf.image.random_crop(image, [size, size, 3])
        image = tf.image.random_flip_left_right(image)
        image = tf.image.adjust_gamma(image, self._gamma())
        return image, label

    def train(self, batch_size):
        ds = tf.data.Dataset.from_tensor_slices((self.files, self.labels))
        ds = ds.shuffle(len(self.files))
        ds = ds.map(self._read, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.map(self._augment, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


def main():
    table = np.loadtxt("/data/retina/train.csv", delimiter=",", dtype=str, skiprows=1)
    pipeline = RetinaPipeline(
        table[:, 0], table[:, 1].astype(np.int32), AugmentConfig())
    model = tf.keras.applications.EfficientNetB0(
        weights=None, classes=5, input_shape=(192, 192, 3))
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(pipeline.train(64), epochs=60)


if __name__ == "__main__":
    main()
