from dataclasses import dataclass

import tensorflow as tf


@dataclass(frozen=True)
class TrainConfig:
    root: str = "/data/imagenette"
    shards: int = 8
    image_size: int = 160
    batch_size: int = 32
    epochs: int = 40


class ShardedImages:
    def __init__(self, cfg: TrainConfig):
        self.cfg = cfg
        self.names = [
            f"{cfg.root}/train-{i:02d}-of-{cfg.shards:02d}.tfrecord"
            for i in range(cfg.shards)
        ]

    def _decode(self, record):
        row = tf.io.parse_single_example(record, {
            "jpeg": tf.io.FixedLenFeature([], tf.string),
            "label": tf.io.FixedLenFeature([], tf.int64),
        })
        image = tf.io.decode_jpeg(row["jpeg"], channels=3)
        size = [self.cfg.image_size, self.cfg.image_size]
        return tf.image.resize(image, size) / 255.0, row["label"]

    def build(self):
        files = tf.data.Dataset.from_tensor_slices(self.names)
        files = files.shuffle(buffer_size=self.cfg.shards)
        ds = files.interleave(
            tf.data.TFRecordDataset, cycle_length=tf.data.AUTOTUNE,
            num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.shuffle(self.cfg.batch_size * 200)
        ds = ds.map(self._decode, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(self.cfg.batch_size).prefetch(tf.data.AUTOTUNE)


def main():
    cfg = TrainConfig()
    model = tf.keras.applications.MobileNetV2(
        input_shape=(cfg.image_size, cfg.image_size, 3), weights=None, classes=10)
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(ShardedImages(cfg).build(), epochs=cfg.epochs)


if __name__ == "__main__":
    main()
