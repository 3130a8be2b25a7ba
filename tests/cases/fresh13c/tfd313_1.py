"""Data module of the product-recognition trainer."""
import dataclasses

import tensorflow as tf


@dataclasses.dataclass
class ProductData:
    pattern: str
    batch_size: int = 256
    crop: int = 224
    buffer: int = 4096

    def decode(self, record):
        ex = tf.io.parse_single_example(record, {
            "image/encoded": tf.io.FixedLenFeature([], tf.string),
            "image/class/label": tf.io.FixedLenFeature([], tf.int64),
        })
        image = tf.io.decode_jpeg(ex["image/encoded"], channels=3)
        image = tf.image.convert_image_dtype(image, tf.float32)
        return image, ex["image/class/label"]

    def augment(self, image, label):
        image = tf.image.random_crop(image, [self.crop, self.crop, 3])
        image = tf.image.random_flip_left_right(image)
        return image, label

    def train(self):
        files = tf.data.Dataset.list_files(self.pattern, shuffle=True)
        ds = files.interleave(tf.data.TFRecordDataset, cycle_length=16,
                              num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
        ds = ds.shuffle(self.buffer).repeat()
        ds = ds.map(self.decode, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.map(self.augment, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(self.batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


class Recognizer(tf.keras.Model):
    def __init__(self, classes):
        super().__init__()
        self.trunk = tf.keras.applications.ResNet50(include_top=False, weights=None, pooling="avg")
        self.head = tf.keras.layers.Dense(classes)

    def call(self, x, training=False):
        return self.head(self.trunk(x, training=training))


if __name__ == "__main__":
    data = ProductData("gs://products/256px/train-*.tfrecord")
    model = Recognizer(2019)
    model.compile(tf.keras.optimizers.SGD(0.4, momentum=0.9),
                  tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(data.train(), steps_per_epoch=5000, epochs=60)
