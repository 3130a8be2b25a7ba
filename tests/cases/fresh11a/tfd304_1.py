from dataclasses import dataclass

import tensorflow as tf


@dataclass
class Settings:
    train: str = "/data/scenes/train-*.tfrecord"
    valid: str = "/data/scenes/valid-*.tfrecord"
    batch_size: int = 64
    limit_val_batches: int | None = 40


class SceneData:
    def __init__(self, settings):
        self.s = settings

    def _parse(self, record):
        ex = tf.io.parse_single_example(record, {
            "jpeg": tf.io.FixedLenFeature([], tf.string),
            "label": tf.io.FixedLenFeature([], tf.int64)})
        image = tf.io.decode_jpeg(ex["jpeg"], channels=3)
        return tf.image.resize(image, [128, 128]) / 255.0, ex["label"]

    def _read(self, pattern, training):
        files = tf.data.Dataset.list_files(pattern, shuffle=training)
        return files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)

    def train(self):
        ds = self._read(self.s.train, True).shuffle(20000)
        ds = ds.map(self._parse, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(self.s.batch_size).prefetch(tf.data.AUTOTUNE)

    def valid(self):
        ds = self._read(self.s.valid, False)
        ds = ds.map(self._parse, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.batch(self.s.batch_size).cache()
        if self.s.limit_val_batches:
            ds = ds.take(self.s.limit_val_batches)
        return ds.prefetch(tf.data.AUTOTUNE)


if __name__ == "__main__":
    data = SceneData(Settings())
    model = tf.keras.applications.MobileNetV2(
        input_shape=(128, 128, 3), weights=None, classes=365)
    model.compile("adam", "sparse_categorical_crossentropy")
    model.fit(data.train(), validation_data=data.valid(), epochs=20)
