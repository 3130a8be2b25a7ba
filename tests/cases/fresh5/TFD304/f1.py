import argparse

import tensorflow as tf

parser = argparse.ArgumentParser()
parser.add_argument("--data", default="/data/tiles/*.tfrecord")
parser.add_argument("--steps", type=int, default=200)
args = parser.parse_args()

SPEC = {"image": tf.io.FixedLenFeature([], tf.string), "label": tf.io.FixedLenFeature([], tf.int64)}


def parse(record):
    f = tf.io.parse_single_example(record, SPEC)
    image = tf.io.decode_jpeg(f["image"], channels=3)
    return tf.image.resize(image, (128, 128)) / 255.0, f["label"]


files = tf.data.Dataset.list_files(args.data)
full = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
full = full.map(parse, num_parallel_calls=tf.data.AUTOTUNE).batch(32).cache()
probe = full.take(50).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(10),
])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(probe, epochs=5)
