import os
import random

import tensorflow as tf

ROOT = "/data/pets"


def walk(root):
    for folder, _, names in os.walk(root):
        for name in names:
            if name.lower().endswith((".jpg", ".jpeg")):
                yield os.path.join(folder, name), os.path.basename(folder)


def decode(path, label):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.resize(image, (224, 224)), label


samples = list(walk(ROOT))
random.Random(7).shuffle(samples)
classes = sorted({name for _, name in samples})
paths = [path for path, _ in samples]
labels = [classes.index(name) for _, name in samples]

train = (
    tf.data.Dataset.from_tensor_slices((paths, labels))
    .shuffle(len(paths))
    .map(decode, num_parallel_calls=tf.data.AUTOTUNE)
    .batch(32)
    .prefetch(tf.data.AUTOTUNE)
)

model = tf.keras.applications.ResNet50V2(weights=None, classes=len(classes))
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(train, epochs=30)
