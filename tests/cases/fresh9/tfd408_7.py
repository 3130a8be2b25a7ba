"""Train a galaxy morphology classifier from TFRecords."""
from dataclasses import dataclass

import tensorflow as tf


@dataclass
class DataConfig:
    root: str = "/data/galaxyzoo/tfrecords"
    image_size: int = 256
    batch_size: int = 64
    shuffle: bool = True
    shuffle_buffer: int = 20_000


class GalaxyData:
    def __init__(self, config: DataConfig):
        self.config = config

    def _parse(self, record):
        ex = tf.io.parse_single_example(record, {
            "image": tf.io.FixedLenFeature([], tf.string),
            "answer": tf.io.FixedLenFeature([37], tf.float32),
        })
        size = self.config.image_size
        image = tf.io.decode_jpeg(ex["image"], channels=3)
        return tf.image.resize(image, [size, size]) / 255.0, ex["answer"]

    def _read(self, split):
        files = sorted(tf.io.gfile.glob(f"{self.config.root}/{split}_*.tfrecord"))
        ds = tf.data.TFRecordDataset(files)
        return ds.map(self._parse, num_parallel_calls=tf.data.AUTOTUNE)

    def train(self):
        ds = self._read("train")
        ds = ds.batch(self.config.batch_size, drop_remainder=True)
        return ds.prefetch(tf.data.AUTOTUNE)

    def valid(self):
        return self._read("valid").batch(self.config.batch_size).prefetch(2)


def main():
    data = GalaxyData(DataConfig())
    model = tf.keras.applications.Xception(
        weights=None, input_shape=(256, 256, 3), classes=37, classifier_activation="sigmoid")
    model.compile(tf.keras.optimizers.Adam(1e-3), "mse")
    model.fit(data.train(), validation_data=data.valid(), epochs=50)


if __name__ == "__main__":
    main()
