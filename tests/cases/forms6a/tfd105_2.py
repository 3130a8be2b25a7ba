from dataclasses import dataclass, field

import tensorflow as tf
from tensorflow.data import AUTOTUNE, FixedLengthRecordDataset

RECORD = 1 + 96 * 96 * 3


@dataclass
class Config:
    root: str = "/data/stl_bin"
    shards: int = 64
    compression: str = ""
    reader: dict = field(default_factory=lambda: {"buffer_size": 1 << 20})
    batch_size: int = 128

    @property
    def files(self):
        return [f"{self.root}/data_{i:03d}.bin" for i in range(self.shards)]


def unpack(record):
    raw = tf.io.decode_raw(record, tf.uint8)
    label = tf.cast(raw[0], tf.int32)
    image = tf.transpose(tf.reshape(raw[1:], [3, 96, 96]), [1, 2, 0])
    return tf.image.convert_image_dtype(image, tf.float32), label


def flip(image, label):
    return tf.image.random_flip_left_right(image), label


def build(cfg: Config, training: bool):
    ds = FixedLengthRecordDataset(
        cfg.files, RECORD, compression_type=cfg.compression, **cfg.reader)
    if training:
        ds = ds.shuffle(20_000)
    ds = ds.map(unpack, num_parallel_calls=AUTOTUNE)
    if training:
        ds = ds.map(flip, num_parallel_calls=AUTOTUNE)
    return ds.batch(cfg.batch_size).prefetch(AUTOTUNE)


def main():
    model = tf.keras.applications.MobileNetV2(
        input_shape=(96, 96, 3), weights=None, classes=10)
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(
        build(Config(), training=True),
        validation_data=build(Config(root="/data/stl_bin_val", shards=8), training=False),
        epochs=40,
    )


if __name__ == "__main__":
    main()
