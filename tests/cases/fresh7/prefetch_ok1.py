import os

import tensorflow as tf

AUTO = tf.data.AUTOTUNE


class Recipe:
    """What is done to every part of the data at its end."""

    def __init__(self, batch, ahead=AUTO):
        self.batch, self.ahead = batch, ahead

    def _group(self, ds, drop):
        return ds.batch(self.batch, drop_remainder=drop)

    def _deliver(self, ds):
        return ds.prefetch(self.ahead)

    def __call__(self, ds, training):
        if training:
            ds = ds.shuffle(2000)
        return self._deliver(self._group(ds, training))


def read(path):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    image = tf.image.resize(image, (128, 128))
    digits = tf.strings.split(tf.strings.split(path, os.sep)[-1], "_")[0]
    return image, tf.strings.to_number(digits)  # 23_0001.jpg: aged 23


def part(name, recipe):
    paths = tf.data.Dataset.list_files(f"data/faces/{name}/*.jpg", shuffle=name == "train")
    faces = paths.map(read, num_parallel_calls=AUTO)
    return recipe(faces, training=name == "train")


recipe = Recipe(batch=48)
model = tf.keras.Sequential([
    tf.keras.layers.Rescaling(1 / 255.0, input_shape=(128, 128, 3)),
    tf.keras.layers.Conv2D(32, 3, strides=2, activation="relu"),
    tf.keras.layers.Conv2D(64, 3, strides=2, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(1),
])
model.compile("adam", "mae")
model.fit(part("train", recipe), validation_data=part("valid", recipe), epochs=25)
