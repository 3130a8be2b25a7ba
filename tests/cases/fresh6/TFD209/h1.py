import os

os.environ["KERAS_BACKEND"] = "jax"

import keras
import tensorflow as tf

scale = keras.layers.Rescaling(1.0 / 255)


def load(path):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    image = tf.image.resize(image, (224, 224))
    return image, tf.cast(tf.strings.split(path, "/")[-2] == "dog", tf.float32)


ds = tf.data.Dataset.list_files("/data/cats_dogs/*/*.jpg")
ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.batch(64).prefetch(tf.data.AUTOTUNE)
model = keras.Sequential([
    scale,
    keras.layers.Conv2D(32, 3, activation="relu"),
    keras.layers.GlobalAveragePooling2D(),
    keras.layers.Dense(1, activation="sigmoid"),
])
model.compile("adam", "binary_crossentropy")
model.fit(ds, epochs=10)
