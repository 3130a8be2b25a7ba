import json
import sys

import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE


class Pets:
    """7,349 pictures; 112x112x3 bytes each fit in memory (280 MB)."""

    def __init__(self, cfg):
        self.cfg = cfg
        self.pattern = cfg["records"]

    def _decode(self, raw):
        ex = tf.io.parse_single_example(raw, {
            "image": tf.io.FixedLenFeature([], tf.string),
            "breed": tf.io.FixedLenFeature([], tf.int64)})
        image = tf.io.decode_jpeg(ex["image"], channels=3)
        image = tf.image.resize(image, (112, 112))
        return tf.cast(image, tf.uint8), ex["breed"]

    def _augment(self, image, breed):
        image = tf.cast(image, tf.float32) / 255.0
        image = tf.image.random_flip_left_right(image)
        image = tf.image.resize_with_crop_or_pad(image, 124, 124)
        image = tf.image.random_crop(image, (112, 112, 3))
        return tf.image.random_saturation(image, 0.7, 1.3), breed

    def train(self):
        ds = tf.data.Dataset.list_files(self.pattern, shuffle=False)
        ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=AUTOTUNE)
        ds = ds.map(self._decode, num_parallel_calls=AUTOTUNE)
        ds = ds.cache()
        ds = ds.shuffle(8000)
        ds = ds.map(self._augment, num_parallel_calls=AUTOTUNE)
        return ds.batch(self.cfg["batch_size"]).prefetch(AUTOTUNE)


def main(path):
    with open(path) as f:
        cfg = json.load(f)
    model = tf.keras.applications.EfficientNetB0(
        weights=None, input_shape=(112, 112, 3), classes=37)
    model.compile(
        optimizer=tf.keras.optimizers.Adam(cfg["lr"]),
        loss="sparse_categorical_crossentropy",
        metrics=["accuracy"])
    model.fit(Pets(cfg).train(), epochs=cfg["epochs"])
    model.save(cfg["output"])


if __name__ == "__main__":
    main(sys.argv[1])
