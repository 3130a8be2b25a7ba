import os

import cv2
import numpy as np
import tensorflow as tf


def collect(root):
    found = {"image": [], "mask": []}
    for folder, _, names in sorted(os.walk(os.path.join(root, "images"))):
        for name in sorted(names):
            image = cv2.imread(os.path.join(folder, name))
            mask = cv2.imread(os.path.join(root, "masks", name), cv2.IMREAD_GRAYSCALE)
            found["image"].append(cv2.resize(image, (256, 256)).astype("float32") / 255.0)
            found["mask"].append(cv2.resize(mask, (256, 256), interpolation=cv2.INTER_NEAREST))
    return {key: np.stack(values) for key, values in found.items()}


def dataset(root, batch, training):
    arrays = collect(root)
    ds = tf.data.Dataset.from_tensor_slices((arrays["image"], arrays["mask"]))
    if training:
        ds = ds.shuffle(len(arrays["image"]))
    return ds.batch(batch).prefetch(tf.data.AUTOTUNE)


net = tf.keras.Sequential([
    tf.keras.layers.Conv2D(16, 3, padding="same", activation="relu"),
    tf.keras.layers.Conv2D(4, 1, activation="softmax"),
])
net.compile("adam", "sparse_categorical_crossentropy")
net.fit(dataset("roads/train", 4, True), validation_data=dataset("roads/val", 4, False), epochs=30)
