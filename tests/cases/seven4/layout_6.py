import contextlib
import json
import os

import keras
import tensorflow as tf


@contextlib.contextmanager
def image_data_format(value):
    before = keras.config.image_data_format()
    keras.config.set_image_data_format(value)
    try:
        yield
    finally:
        keras.config.set_image_data_format(before)


def residual(x, width):
    y = keras.layers.Conv2D(width, 3, padding="same", activation="relu")(x)
    y = keras.layers.Conv2D(width, 3, padding="same")(y)
    x = keras.layers.Conv2D(width, 1)(x)
    return keras.layers.MaxPooling2D()(keras.layers.ReLU()(keras.layers.Add()([x, y])))


def network(classes, side):
    inputs = x = keras.Input((3, side, side))
    for width in (64, 128, 256):
        x = residual(x, width)
    return keras.Model(inputs, keras.layers.Dense(classes, dtype="float32")(keras.layers.GlobalMaxPooling2D()(x)))


ROOT = os.environ.get("XRAYS", "/data/xrays")
with open(os.path.join(ROOT, "labels.json")) as handle:
    LABELS = json.load(handle)


def read(name, label):
    image = tf.io.decode_png(tf.io.read_file(ROOT + "/" + name), channels=3)
    return tf.image.random_contrast(tf.image.resize(image, (320, 320)) / 255.0, 0.8, 1.2), label


def to_planes(images, labels):
    return tf.transpose(images, perm=[0, 3, 1, 2]), labels


train = tf.data.Dataset.from_tensor_slices((list(LABELS), list(LABELS.values()))).shuffle(len(LABELS))
train = train.map(read, num_parallel_calls=tf.data.AUTOTUNE).batch(32, drop_remainder=True)
train = train.map(to_planes, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)

keras.mixed_precision.set_global_policy("mixed_float16")
with image_data_format("channels_first"):
    model = network(max(LABELS.values()) + 1, 320)
model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
model.fit(train, epochs=80)
