from dataclasses import dataclass

import tensorflow as tf


@dataclass
class DataConfig:
    pattern: str = "/data/flowers/train-*.tfrecord"
    image_size: int = 224
    batch_size: int = 64
    shuffle_buffer: int = 8000
    cache: bool = True


class FlowerModule:
    def __init__(self, cfg):
        self.cfg = cfg

    def _raw(self):
        files = tf.data.Dataset.list_files(self.cfg.pattern)
        ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
        if self.cfg.cache:
            ds = ds.cache()
        return ds

    def _parse(self, record):
        ex = tf.io.parse_single_example(record, {
            "jpeg": tf.io.FixedLenFeature([], tf.string),
            "label": tf.io.FixedLenFeature([], tf.int64)})
        image = tf.io.decode_jpeg(ex["jpeg"], channels=3)
        size = [self.cfg.image_size] * 2
        return tf.image.resize(image, size, antialias=True), ex["label"]

    def train_dataset(self):
        ds = self._raw()
        ds = ds.shuffle(self.cfg.shuffle_buffer)
        ds = ds.map(self._parse, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(self.cfg.batch_size).prefetch(tf.data.AUTOTUNE)


def main():
    module = FlowerModule(DataConfig())
    model = tf.keras.applications.EfficientNetB0(weights=None, classes=102)
    model.compile("adam", "sparse_categorical_crossentropy")
    model.fit(module.train_dataset(), epochs=50)


if __name__ == "__main__":
    main()
