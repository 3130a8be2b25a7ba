import pathlib

import keras
import numpy as np
import tensorflow as tf


def load_image(path):
    image = keras.utils.load_img(path, target_size=(128, 128))
    return keras.utils.img_to_array(image) / 255.0


def load_split(root, split):
    paths = sorted(pathlib.Path(root, split).glob("*.jpg"))
    x = np.array([load_image(p) for p in paths])
    y = np.array([float(p.stem.split("_")[0]) for p in paths])
    return x, y


def make(root, split, batch=32):
    x, y = load_split(root, split)
    ds = tf.data.Dataset.from_tensor_slices((x, y))
    if split == "train":
        ds = ds.shuffle(len(y))
    return ds.batch(batch).prefetch(tf.data.AUTOTUNE)


model = keras.Sequential([
    keras.layers.Conv2D(16, 3, activation="relu"),
    keras.layers.GlobalAveragePooling2D(),
    keras.layers.Dense(1),
])
model.compile("adam", "mse")
model.fit(make("ages", "train"), validation_data=make("ages", "val"), epochs=10)
