import glob
import os

import numpy as np
import tensorflow as tf

ROOT = "textures/train"


def class_labels():
    labels = []
    for index, name in enumerate(sorted(os.listdir(ROOT))):
        count = len(os.listdir(os.path.join(ROOT, name)))
        labels.append(np.full(count, index))
    return np.concatenate(labels)


def decode(path):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.random_crop(tf.cast(image, tf.float32) / 255.0, (64, 64, 3))


paths = sorted(glob.glob(f"{ROOT}/*/*"))
targets = tf.keras.utils.to_categorical(class_labels())
train = tf.data.Dataset.from_tensor_slices((paths, targets))
train = train.shuffle(len(paths))
train = train.map(lambda path, target: (decode(path), target), num_parallel_calls=tf.data.AUTOTUNE)
train = train.batch(32).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.Input((64, 64, 3)),
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(targets.shape[1], activation="softmax"),
])
model.compile("adam", "categorical_crossentropy")
model.fit(train, epochs=40)
