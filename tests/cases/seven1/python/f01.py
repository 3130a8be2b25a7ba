import glob
import random

import numpy as np
import tensorflow as tf
from PIL import Image

files = glob.glob("/data/animals/*/*.jpg")
names = sorted({f.split("/")[-2] for f in files})


def image_gen():
    random.shuffle(files)
    for f in files:
        img = Image.open(f).convert("RGB").resize((224, 224))
        yield np.asarray(img, dtype=np.float32) / 255.0, names.index(f.split("/")[-2])


ds = tf.data.Dataset.from_generator(
    image_gen,
    output_signature=(
        tf.TensorSpec((224, 224, 3), tf.float32),
        tf.TensorSpec((), tf.int32),
    ),
)
ds = ds.batch(32, drop_remainder=True).prefetch(tf.data.AUTOTUNE)

model = tf.keras.applications.DenseNet121(weights=None, classes=len(names))
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(ds, epochs=30)
