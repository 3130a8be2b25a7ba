import dataclasses

import tensorflow as tf


@dataclasses.dataclass(frozen=True)
class AugmentConfig:
    image_size: int = 224
    max_delta: float = 0.2
    seed: int = 17


class FoodData:
    def __init__(self, pattern, batch_size, config=AugmentConfig()):
        self.pattern = pattern
        self.batch_size = batch_size
        self.config = config
        self.seed = (config.seed, 0)

    def _parse(self, serialized):
        parsed = tf.io.parse_single_example(serialized, {
            "image": tf.io.FixedLenFeature([], tf.string),
            "label": tf.io.FixedLenFeature([], tf.int64),
        })
        image = tf.io.decode_jpeg(parsed["image"], channels=3)
        size = self.config.image_size
        image = tf.image.resize(image, [size, size]) / 255.0
        return image, parsed["label"]

    def _augment(self, image, label):
        image = tf.image.stateless_random_brightness(image, self.config.max_delta, seed=self.seed)
        return tf.clip_by_value(image, 0.0, 1.0), label

    def train(self):
        files = tf.data.Dataset.list_files(self.pattern, shuffle=True)
        ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE,
                              deterministic=False)
        ds = ds.shuffle(10_000)
        ds = ds.map(self._parse, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.map(self._augment, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(self.batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def main():
    data = FoodData("gs://vision/food101/train-*.tfrecord", 128)
    model = tf.keras.applications.ResNet50(weights=None, classes=101)
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(data.train(), epochs=30)


if __name__ == "__main__":
    main()
