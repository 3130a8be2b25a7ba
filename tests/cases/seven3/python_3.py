import os

import albumentations as A
import tensorflow as tf
from tensorflow import data as tfd, numpy_function

SIZE = 512


class RoadScenes:
    pipeline = A.Compose([
        A.RandomResizedCrop((SIZE, SIZE), scale=(0.5, 1.0)),
        A.HorizontalFlip(p=0.5),
        A.RandomBrightnessContrast(p=0.3),
        A.CoarseDropout(p=0.2),
    ])

    def __init__(self, root, batch_size=8):
        self.root = root
        self.batch_size = batch_size

    def read(self, image_path):
        name = tf.strings.split(image_path, os.sep)[-1]
        mask_path = tf.strings.join([self.root, "masks", tf.strings.regex_replace(name, r"\.jpg$", ".png")], os.sep)
        return {
            "image": tf.io.decode_jpeg(tf.io.read_file(image_path), channels=3),
            "mask": tf.io.decode_png(tf.io.read_file(mask_path), channels=1),
        }

    def _apply(self, image, mask):
        out = self.pipeline(image=image, mask=mask)
        return out["image"], out["mask"]

    def augment(self, sample):
        image, mask = numpy_function(self._apply, [sample["image"], sample["mask"]], [tf.uint8, tf.uint8])
        return tf.ensure_shape(image, (SIZE, SIZE, 3)), tf.ensure_shape(mask, (SIZE, SIZE, 1))

    def train(self):
        files = tfd.Dataset.list_files(os.path.join(self.root, "images", "*.jpg"), shuffle=True)
        ds = files.map(self.read, num_parallel_calls=tfd.AUTOTUNE)
        ds = ds.map(self.augment, num_parallel_calls=tfd.AUTOTUNE)
        return ds.batch(self.batch_size, drop_remainder=True).prefetch(tfd.AUTOTUNE)


inputs = tf.keras.Input((SIZE, SIZE, 3))
x = tf.keras.layers.Rescaling(1.0 / 255)(inputs)
for width, rate in ((32, 1), (64, 2), (64, 4), (32, 1)):
    x = tf.keras.layers.Conv2D(width, 3, padding="same", dilation_rate=rate, activation="relu")(x)
model = tf.keras.Model(inputs, tf.keras.layers.Conv2D(19, 1)(x))
model.compile(tf.keras.optimizers.Adam(5e-4), tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(RoadScenes("/data/cityscapes/train").train(), epochs=80)
