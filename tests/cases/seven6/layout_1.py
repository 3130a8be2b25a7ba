import pathlib

import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

keras.backend.set_image_data_format("channels_first")
keras.mixed_precision.set_global_policy("mixed_float16")

ROOT = pathlib.Path("/data/retina")
SIZE, BATCH = 256, 64


def load(path, grade):
    img = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    img = tf.image.resize(img, (SIZE, SIZE)) / 255.0
    img = tf.image.random_flip_left_right(img)
    return tf.transpose(img, (2, 0, 1)), grade


def dataset():
    paths = sorted(str(p) for p in ROOT.glob("*/*.jpg"))
    grades = [int(pathlib.Path(p).parent.name) for p in paths]
    ds = tf.data.Dataset.from_tensor_slices((paths, grades)).shuffle(len(paths))
    ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(BATCH, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def block(x, filters, stride):
    short = layers.Conv2D(filters, 1, strides=stride, use_bias=False)(x)
    x = layers.Conv2D(filters, 3, strides=stride, padding="same", use_bias=False)(x)
    x = layers.ReLU()(layers.BatchNormalization(axis=1)(x))
    x = layers.Conv2D(filters, 3, padding="same", use_bias=False)(x)
    x = layers.BatchNormalization(axis=1)(x)
    return layers.ReLU()(layers.Add()([x, short]))


def resnet(classes):
    inputs = keras.Input((3, SIZE, SIZE))
    x = layers.Conv2D(64, 7, strides=2, padding="same")(inputs)
    for filters in (64, 128, 256, 512):
        x = block(x, filters, 2)
    x = layers.GlobalAveragePooling2D()(x)
    return keras.Model(inputs, layers.Dense(classes, activation="softmax", dtype="float32")(x))


model = resnet(5)
model.compile(keras.optimizers.Adam(1e-3), "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(dataset(), epochs=60)
model.save("retina.keras")
