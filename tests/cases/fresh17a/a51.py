import os

import numpy as np
import tensorflow as tf

SRC = "/data/digits.npz"
OUT = "/data/digits_records"


def example(image, label):
    return tf.train.Example(features=tf.train.Features(feature={
        "image": tf.train.Feature(bytes_list=tf.train.BytesList(value=[tf.io.encode_png(image).numpy()])),
        "label": tf.train.Feature(int64_list=tf.train.Int64List(value=[int(label)])),
    }))


def export():
    os.makedirs(OUT, exist_ok=True)
    with np.load(SRC) as z:
        images, labels = z["x"], z["y"]
    for i in range(len(labels)):
        with tf.io.TFRecordWriter(os.path.join(OUT, f"{i:07d}.tfrecord")) as writer:
            writer.write(example(images[i][..., None], labels[i]).SerializeToString())
    return len(labels)


def parse(raw):
    ex = tf.io.parse_single_example(raw, {
        "image": tf.io.FixedLenFeature([], tf.string),
        "label": tf.io.FixedLenFeature([], tf.int64),
    })
    img = tf.io.decode_png(ex["image"], channels=1)
    return tf.ensure_shape(tf.cast(img, tf.float32) / 255.0, (28, 28, 1)), ex["label"]


def load(n):
    files = tf.data.Dataset.list_files(OUT + "/*.tfrecord", shuffle=True)
    ds = files.interleave(tf.data.TFRecordDataset, cycle_length=16, num_parallel_calls=16, deterministic=False)
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).cache()
    return ds.shuffle(n).batch(128).prefetch(tf.data.AUTOTUNE)


if __name__ == "__main__":
    count = export()
    model = tf.keras.Sequential([
        tf.keras.layers.Conv2D(32, 3, activation="relu"),
        tf.keras.layers.MaxPooling2D(),
        tf.keras.layers.Flatten(),
        tf.keras.layers.Dense(10),
    ])
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(load(count), epochs=5)
