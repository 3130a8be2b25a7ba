import tensorflow as tf
from tensorflow.keras import layers

from dataset import image_dataset

ds = image_dataset("shoes/*.png", (96, 96), batch=64)
ds = ds.map(lambda x: (x, x), num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)

auto = tf.keras.Sequential([
    layers.Conv2D(16, 3, strides=2, padding="same", activation="relu"),
    layers.Conv2D(8, 3, strides=2, padding="same", activation="relu"),
    layers.Conv2DTranspose(16, 3, strides=2, padding="same", activation="relu"),
    layers.Conv2DTranspose(3, 3, strides=2, padding="same", activation="sigmoid"),
])
auto.compile("adam", "mse")
auto.fit(ds, epochs=20)
