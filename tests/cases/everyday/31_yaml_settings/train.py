import os
import sys

import numpy as np
import tensorflow as tf

from settings import load_settings

settings = load_settings(*sys.argv[1:])
root = settings["root"]
size = settings["image_size"]
label_names = np.array(sorted(os.listdir(os.path.join(root, "train"))))


def decode(path):
    image = tf.image.decode_jpeg(tf.io.read_file(path), channels=3)
    image = tf.image.resize(image, [size + 32, size + 32])
    label = tf.argmax(tf.cast(tf.strings.split(path, os.sep)[-2] == label_names, tf.int32))
    return image / 255.0, label


def augment(image, label):
    image = tf.image.random_crop(image, [size, size, 3])
    if settings["flip"]:
        image = tf.image.random_flip_left_right(image)
    image = tf.image.random_contrast(image, 0.8, 1.2)
    return image, label


def centre(image, label):
    return tf.image.resize_with_crop_or_pad(image, size, size), label


train = tf.data.Dataset.list_files(os.path.join(root, "train", "*", "*.jpg"))
train = train.map(decode, num_parallel_calls=tf.data.AUTOTUNE).cache()
train = train.shuffle(settings["buffer"])
train = train.map(augment)
train = train.batch(settings["batch_size"])

valid = tf.data.Dataset.list_files(os.path.join(root, "valid", "*", "*.jpg"), shuffle=False)
valid = valid.map(decode, num_parallel_calls=tf.data.AUTOTUNE).map(centre, num_parallel_calls=tf.data.AUTOTUNE)
valid = valid.batch(settings["batch_size"]).cache().prefetch(tf.data.AUTOTUNE)

model = tf.keras.applications.DenseNet121(weights=None, input_shape=(size, size, 3), classes=len(label_names))
model.compile(
    optimizer=tf.keras.optimizers.Adam(settings["lr"]),
    loss="sparse_categorical_crossentropy",
    metrics=["accuracy"],
)
model.fit(train, validation_data=valid, epochs=settings["epochs"])
model.save("mushrooms.h5")
