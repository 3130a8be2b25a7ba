import glob
import os

import cv2
import numpy as np
import tensorflow as tf

DATA = "/data/flowers"
classes = sorted(os.listdir(DATA))
images, labels = [], []
for index, name in enumerate(classes):
    for path in sorted(glob.glob(os.path.join(DATA, name, "*.jpg"))):
        image = cv2.imread(path)
        image = cv2.cvtColor(image, cv2.COLOR_BGR2RGB)
        images.append(cv2.resize(image, (180, 180)))
        labels.append(index)

images = np.array(images)
labels = np.array(labels)
ds = tf.data.Dataset.from_tensor_slices((images, labels))
ds = ds.shuffle(len(labels)).batch(64).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Rescaling(1.0 / 255),
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(len(classes)),
])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(ds, epochs=20)
