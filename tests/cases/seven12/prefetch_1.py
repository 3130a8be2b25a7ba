import dataclasses

import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE


@dataclasses.dataclass
class DataConfig:
    pattern: str = "gs://vision-data/imagenet/train-*-of-01024"
    image_size: int = 224
    batch_size: int = 256
    shuffle_buffer: int = 16384


class ImageNetTask:
    FEATURES = {
        "image/encoded": tf.io.FixedLenFeature([], tf.string),
        "image/class/label": tf.io.FixedLenFeature([], tf.int64),
    }

    def __init__(self, config):
        self.config = config

    def _read(self):
        files = tf.data.Dataset.list_files(self.config.pattern, shuffle=True)
        return files.interleave(
            tf.data.TFRecordDataset,
            cycle_length=16,
            num_parallel_calls=AUTOTUNE,
            deterministic=False,
        )

    def _decode(self, serialized):
        ex = tf.io.parse_single_example(serialized, self.FEATURES)
        image = tf.io.decode_jpeg(ex["image/encoded"], channels=3)
        size = self.config.image_size
        image = tf.image.resize(image, [size, size])
        return image / 255.0, ex["image/class/label"]

    def build_inputs(self):
        ds = self._read()
        ds = ds.shuffle(self.config.shuffle_buffer).repeat()
        ds = ds.map(self._decode, num_parallel_calls=AUTOTUNE)
        ds = ds.batch(self.config.batch_size, drop_remainder=True)
        return ds

    def train(self):
        model = tf.keras.applications.ResNet50(weights=None)
        model.compile("sgd", "sparse_categorical_crossentropy")
        model.fit(self.build_inputs(), steps_per_epoch=5004, epochs=90)


if __name__ == "__main__":
    ImageNetTask(DataConfig()).train()
