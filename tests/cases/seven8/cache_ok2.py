"""Reproducible augmentation: cached decoded images zipped with a step counter."""
import argparse
import os

import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE


class FolderData:
    def __init__(self, root, size, cache_dir=None):
        self.root, self.size = root, size
        self.cache_dir = cache_dir
        self.classes = sorted(os.listdir(root))

    def _decode(self, path):
        img = tf.io.decode_image(tf.io.read_file(path), channels=3, expand_animations=False)
        img = tf.image.resize(img, [self.size + 32, self.size + 32])
        label = tf.argmax(tf.cast(tf.equal(tf.strings.split(path, os.sep)[-2], self.classes), tf.int32))
        return tf.cast(img, tf.uint8), label

    def _augment(self, example, count):
        img, label = example
        seed = tf.stack([tf.constant(2023, tf.int64), count])
        img = tf.image.stateless_random_crop(img, [self.size, self.size, 3], seed)
        img = tf.image.stateless_random_flip_left_right(img, seed + 1)
        img = tf.image.stateless_random_jpeg_quality(img, 50, 100, seed + 2)
        img = tf.image.stateless_random_saturation(
            tf.cast(img, tf.float32) / 255.0, 0.5, 1.5, seed + 3)
        return img, label

    def train(self, batch_size):
        files = sorted(tf.io.gfile.glob(os.path.join(self.root, "*", "*")))
        ds = tf.data.Dataset.from_tensor_slices(files)
        ds = ds.map(self._decode, num_parallel_calls=AUTOTUNE)
        ds = ds.cache(self.cache_dir or "")
        ds = ds.shuffle(8192, seed=7).repeat()
        ds = tf.data.Dataset.zip((ds, tf.data.Dataset.counter()))
        ds = ds.map(self._augment, num_parallel_calls=AUTOTUNE)
        return ds.batch(batch_size).prefetch(AUTOTUNE), len(files)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--root", default="/data/sun397/train")
    p.add_argument("--cache-dir", default="/local_ssd/sun397")
    p.add_argument("--size", type=int, default=192)
    p.add_argument("--batch", type=int, default=128)
    p.add_argument("--epochs", type=int, default=45)
    a = p.parse_args()
    data = FolderData(a.root, a.size, a.cache_dir)
    ds, n = data.train(a.batch)
    model = tf.keras.applications.EfficientNetV2B1(
        weights=None, classes=len(data.classes), input_shape=(a.size, a.size, 3),
        include_preprocessing=False)
    model.compile(tf.keras.optimizers.AdamW(5e-4), "sparse_categorical_crossentropy", ["accuracy"])
    model.fit(ds, steps_per_epoch=n // a.batch, epochs=a.epochs)


if __name__ == "__main__":
    main()
