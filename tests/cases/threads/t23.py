import json
import random

import numpy as np
import tensorflow as tf
from PIL import Image

with open("imagenet_subset/train.json") as f:
    records = json.load(f)


def generator():
    order = list(range(len(records)))
    random.shuffle(order)
    for i in order:
        img = Image.open(records[i]["path"]).convert("RGB").resize((224, 224))
        yield np.asarray(img, dtype=np.float32) / 255.0, np.array([records[i]["label"]], dtype=np.uint8)


dataset = tf.data.Dataset.from_generator(
    generator, output_types=(tf.float32, tf.uint8)
)
dataset = dataset.batch(32).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 3, strides=2, activation="relu"),
    tf.keras.layers.Conv2D(64, 3, strides=2, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(100, activation="softmax"),
])
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(dataset, epochs=10)
