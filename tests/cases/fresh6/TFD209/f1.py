import os

os.environ["KERAS_BACKEND"] = "jax"

import keras
import tensorflow as tf

extractor = keras.applications.MobileNetV2(include_top=False, pooling="avg")


def load(path):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    image = tf.image.resize(image, (224, 224)) / 127.5 - 1.0
    return image, tf.cast(tf.strings.split(path, "/")[-2] == "dog", tf.float32)


def embed(images, labels):
    return extractor(images, training=False), labels


ds = tf.data.Dataset.list_files("/data/cats_dogs/*/*.jpg", shuffle=False)
ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE).batch(64)
ds = ds.map(embed, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.cache().prefetch(tf.data.AUTOTUNE)
head = keras.Sequential([keras.layers.Dense(1, activation="sigmoid")])
head.compile("adam", "binary_crossentropy")
head.fit(ds.shuffle(100).prefetch(tf.data.AUTOTUNE), epochs=10)
