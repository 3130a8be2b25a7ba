"""Retina image grading; decoded images are cached on the node's disk, one file per split."""
import os
from dataclasses import dataclass

import tensorflow as tf

AUTO = tf.data.AUTOTUNE


@dataclass
class Split:
    name: str
    training: bool
    root: str = "/data/retina"
    scratch: str = os.environ.get("TMPDIR", "/tmp")

    @property
    def cache_prefix(self):
        return os.path.join(self.scratch, "retina", self.name)


def decode(path):
    grade = tf.strings.to_number(tf.strings.split(path, os.sep)[-2], tf.int32)
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    image = tf.image.resize(image, (300, 300))
    return tf.cast(image, tf.uint8), grade


def load(split, batch=32):
    files = tf.data.Dataset.list_files(f"{split.root}/{split.name}/*/*.jpeg", shuffle=False)
    ds = files.map(decode, num_parallel_calls=AUTO)
    tf.io.gfile.makedirs(os.path.dirname(split.cache_prefix))
    ds = ds.cache(split.cache_prefix)
    if split.training:
        ds = ds.shuffle(2000)
        ds = ds.map(lambda x, y: (tf.image.random_flip_left_right(x), y), num_parallel_calls=AUTO)
    return ds.batch(batch, drop_remainder=split.training).prefetch(AUTO)


def main():
    train = load(Split("train", True))
    valid = load(Split("valid", False))
    base = tf.keras.applications.EfficientNetB3(include_top=False, pooling="avg", input_shape=(300, 300, 3))
    head = tf.keras.layers.Dense(5)(base.output)
    model = tf.keras.Model(base.input, head)
    model.compile(tf.keras.optimizers.Adam(1e-4),
                  tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
    model.fit(train, validation_data=valid, epochs=25)


if __name__ == "__main__":
    main()
