"""Product picture embedding training."""
import pathlib
import random

import numpy as np
import tensorflow as tf
from PIL import Image


class CatalogueReader:
    """Iterable over (picture, sku index)."""

    def __init__(self, root, size=224):
        self.files = sorted(pathlib.Path(root).rglob("*.jpg"))
        self.skus = {s: i for i, s in enumerate(sorted({f.parent.name for f in self.files}))}
        self.size = size

    def __len__(self):
        return len(self.files)

    def __call__(self):
        random.shuffle(self.files)
        for f in self.files:
            with Image.open(f) as im:
                im = im.convert("RGB").resize((self.size, self.size))
                yield np.asarray(im, np.uint8), self.skus[f.parent.name]

    @property
    def signature(self):
        return (tf.TensorSpec((self.size, self.size, 3), tf.uint8), tf.TensorSpec((), tf.int32))


def as_dataset(reader, batch):
    ds = tf.data.Dataset.from_generator(reader, output_signature=reader.signature)
    ds = ds.shuffle(1024).batch(batch, drop_remainder=True)
    return ds.prefetch(tf.data.AUTOTUNE)


def embedder(n):
    base = tf.keras.applications.EfficientNetV2B0(include_top=False, pooling="avg")
    return tf.keras.Sequential([base, tf.keras.layers.Dense(256), tf.keras.layers.Dense(n)])


if __name__ == "__main__":
    reader = CatalogueReader("/data/catalogue")
    print(len(reader), "pictures of", len(reader.skus), "articles")
    train = as_dataset(reader, 128)
    model = embedder(len(reader.skus))
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(train, epochs=15)
