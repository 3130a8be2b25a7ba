import pathlib
import random

import tensorflow as tf

root = pathlib.Path("danbooru/512px")
image_paths = [str(p) for p in root.glob("*/*.*")]
random.Random(0).shuffle(image_paths)


def load_image(x):
    image = tf.io.read_file(x)
    image = tf.io.decode_image(image, channels=3)
    image = tf.image.resize(image, (299, 299))
    image = image / 255.0
    return image, image


dataset = tf.data.Dataset.from_tensor_slices(image_paths)
dataset = dataset.shuffle(len(image_paths))
dataset = dataset.map(load_image, num_parallel_calls=tf.data.AUTOTUNE)
dataset = dataset.batch(16)
dataset = dataset.prefetch(tf.data.AUTOTUNE)

inputs = tf.keras.Input((299, 299, 3))
h = tf.keras.layers.Conv2D(32, 3, padding="same", activation="relu")(inputs)
outputs = tf.keras.layers.Conv2D(3, 3, padding="same", activation="sigmoid")(h)
model = tf.keras.Model(inputs, outputs)
model.compile("adam", "mae")
model.fit(dataset, epochs=5)
