"""Landmark retrieval training, images in TFRecords."""
import dataclasses

import tensorflow as tf


@dataclasses.dataclass(frozen=True)
class Augment:
    size: int = 384
    min_area: float = 0.3

    def train_example(self, record):
        ex = tf.io.parse_single_example(record, {
            "jpeg": tf.io.FixedLenFeature([], tf.string),
            "landmark_id": tf.io.FixedLenFeature([], tf.int64),
        })
        begin, extent, _ = tf.image.sample_distorted_bounding_box(
            tf.io.extract_jpeg_shape(ex["jpeg"]), tf.zeros([1, 0, 4]),
            area_range=(self.min_area, 1.0), use_image_if_no_bounding_boxes=True)
        window = tf.stack([begin[0], begin[1], extent[0], extent[1]])
        img = tf.image.decode_and_crop_jpeg(ex["jpeg"], window, channels=3)
        img = tf.image.resize(img, [self.size, self.size])
        return tf.image.random_flip_left_right(img), ex["landmark_id"]


class LandmarkData:
    def __init__(self, pattern, augment=Augment()):
        self.pattern = pattern
        self.augment = augment

    def records(self):
        return tf.data.TFRecordDataset(
            tf.io.gfile.glob(self.pattern), num_parallel_reads=tf.data.AUTOTUNE)

    def train(self, batch_size):
        return (
            self.records()
            .shuffle(20_000)
            .repeat()
            .map(self.augment.train_example)
            .batch(batch_size, drop_remainder=True)
            .prefetch(tf.data.AUTOTUNE)
        )


def main():
    data = LandmarkData("gs://gld-v2/train-?????-of-00128")
    backbone = tf.keras.applications.ResNet101V2(include_top=False, pooling="avg", weights="imagenet")
    model = tf.keras.Sequential([
        tf.keras.layers.Rescaling(1 / 127.5, offset=-1),
        backbone,
        tf.keras.layers.Dense(512),
        tf.keras.layers.UnitNormalization(),
        tf.keras.layers.Dense(81313),
    ])
    model.compile(
        tf.keras.optimizers.SGD(0.01, momentum=0.9),
        tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(data.train(128), steps_per_epoch=5000, epochs=40)


if __name__ == "__main__":
    main()
