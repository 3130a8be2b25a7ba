import numpy as np
import tensorflow as tf
from einops import rearrange
from tensorflow.keras import layers

chw = np.load("export/images.npy", mmap_mode="r")
labels = np.load("export/labels.npy")


def to_hwc(images, y):
    images = rearrange(images, "b c h w -> b h w c")
    return tf.cast(images, tf.float32) / 255.0, y


train = tf.data.Dataset.from_tensor_slices((chw, labels)).shuffle(len(labels))
train = train.batch(128, drop_remainder=True)
train = train.map(to_hwc, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    layers.Input((64, 64, 3)),
    layers.Conv2D(32, 3, activation="relu"),
    layers.Conv2D(64, 3, strides=2, activation="relu"),
    layers.GlobalAveragePooling2D(),
    layers.Dense(10, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(train, epochs=20)
