import os

import tensorflow as tf


def image_paths(folder):
    return [os.path.join(folder, n) for n in sorted(os.listdir(folder))]


def image_labels(folder, classes):
    return [classes.index(n.rsplit("-", 1)[0]) for n in os.listdir(folder)]


def load(path, label):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.resize(image, (160, 160)) / 255.0, label


classes = ["ant", "bee", "moth", "wasp"]
folder = "/data/insects/train"
paths = image_paths(folder)
labels = image_labels(folder, classes)
ds = tf.data.Dataset.from_tensor_slices((paths, labels))
ds = ds.shuffle(len(paths)).map(load, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.batch(32).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(len(classes)),
])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(ds, epochs=10)
