import functools

import tensorflow as tf
from tensorflow.keras import layers

DEPTHS = (64, 128, 256)
conv3x3 = functools.partial(layers.Conv2D, kernel_size=3, padding="same")


def block(x, filters, stride=1):
    shortcut = x
    x = conv3x3(filters, strides=stride)(x)
    x = layers.ReLU()(x)
    x = layers.BatchNormalization()(x)
    if shortcut.shape[-1] != filters or stride > 1:
        shortcut = layers.AveragePooling2D(stride)(shortcut)
        shortcut = layers.Conv2D(filters, 1)(shortcut)
    return layers.add([x, shortcut])


def build(classes):
    inputs = tf.keras.Input((64, 64, 3))
    x = layers.Rescaling(1 / 255.0)(inputs)
    x = layers.Conv2D(32, 3, padding="same", use_bias=False)(x)
    x = layers.BatchNormalization()(x)
    for depth in DEPTHS:
        x = block(x, depth, stride=2)
    x = layers.GlobalAveragePooling2D()(x)
    return tf.keras.Model(inputs, layers.Dense(classes, activation="softmax")(x))


if __name__ == "__main__":
    train = tf.keras.utils.image_dataset_from_directory(
        "/data/tiny/train", image_size=(64, 64), batch_size=128)
    model = build(200)
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(train.prefetch(tf.data.AUTOTUNE), epochs=40)
