"""Face crops (20k), with an on-disk cache beside the job."""
import os
import tempfile

import tensorflow as tf
from tensorflow.data import AUTOTUNE

FIELDS = {
    "frame": tf.io.FixedLenFeature([], tf.string),
    "box": tf.io.FixedLenFeature([4], tf.float32),
    "identity": tf.io.FixedLenFeature([], tf.int64),
}


def with_disk_cache(name):
    directory = os.environ.get("CACHE_DIR") or tempfile.mkdtemp()

    def attach(ds):
        return ds.cache(os.path.join(directory, name))

    return attach


def crop_face(record):
    row = tf.io.parse_single_example(record, FIELDS)
    frame = tf.image.convert_image_dtype(tf.io.decode_png(row["frame"], 3), tf.float32)
    face = tf.image.crop_and_resize(frame[tf.newaxis], row["box"][tf.newaxis], [0], (112, 112))
    return tf.image.per_image_standardization(face[0]), row["identity"]


def faces(pattern, split, batch_size):
    ds = tf.data.TFRecordDataset(tf.io.gfile.glob(pattern), num_parallel_reads=AUTOTUNE)
    ds = ds.apply(with_disk_cache(f"faces-{split}"))
    ds = ds.map(crop_face, num_parallel_calls=AUTOTUNE)
    if split == "train":
        ds = ds.shuffle(20_000)
    return ds.batch(batch_size, drop_remainder=split == "train").prefetch(AUTOTUNE)


class Embedder(tf.keras.Model):
    def __init__(self, identities):
        super().__init__()
        self.body = tf.keras.Sequential([
            tf.keras.layers.Conv2D(64, 3, 2, activation="relu"),
            tf.keras.layers.Conv2D(128, 3, 2, activation="relu"),
            tf.keras.layers.GlobalAveragePooling2D(),
            tf.keras.layers.Dense(256),
        ])
        self.head = tf.keras.layers.Dense(identities)

    def call(self, x, training=False):
        return self.head(tf.math.l2_normalize(self.body(x, training=training), 1))


def main():
    model = Embedder(2_000)
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(faces("/data/faces/train-*", "train", 128),
              validation_data=faces("/data/faces/val-*", "val", 128), epochs=40)


if __name__ == "__main__":
    main()
