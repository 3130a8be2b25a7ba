import tensorflow as tf
from tensorflow.keras import layers

import settings


def conv_block(x, width, stride):
    x = layers.Conv2D(width, 3, strides=stride, padding="same", data_format=settings.DATA_FORMAT)(x)
    x = layers.BatchNormalization(axis=settings.CHANNEL_AXIS)(x)
    return layers.ReLU()(x)


def network():
    inputs = layers.Input((3, settings.IMAGE_SIZE, settings.IMAGE_SIZE))
    x = inputs
    for width in (64, 128, 256, 512):
        x = conv_block(x, width, 2)
    x = layers.GlobalAveragePooling2D(data_format=settings.DATA_FORMAT)(x)
    return tf.keras.Model(inputs, layers.Dense(settings.NUM_CLASSES, activation="softmax")(x))
