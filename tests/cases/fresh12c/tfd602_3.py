"""Keyword audio ResNet: pre-activation blocks."""
import functools

import tensorflow as tf
from tensorflow.keras import layers

conv = functools.partial(layers.Conv2D, kernel_size=3, padding="same", use_bias=False)


def block(x, width, stride):
    h = layers.BatchNormalization()(x)
    h = layers.ReLU()(h)
    if stride > 1 or x.shape[-1] != width:
        x = layers.Conv2D(width, 1, strides=stride)(h)
    h = conv(width, strides=stride)(h)
    h = layers.BatchNormalization()(h)
    h = layers.ReLU()(h)
    h = layers.Conv2D(width, 3, padding="same")(h)
    return layers.Add()([x, h])


def build(n_words=35):
    inp = tf.keras.Input((98, 64, 1))
    x = layers.Conv2D(32, 5, strides=2, padding="same", activation="relu")(inp)
    for width, stride in ((32, 1), (64, 2), (128, 2)):
        x = block(x, width, stride)
    x = layers.GlobalAveragePooling2D()(layers.ReLU()(x))
    return tf.keras.Model(inp, layers.Dense(n_words)(x))


def spectrograms(pattern, training):
    spec = {"s": tf.io.FixedLenFeature([98, 64, 1], tf.float32), "w": tf.io.FixedLenFeature([], tf.int64)}
    ds = tf.data.Dataset.list_files(pattern, shuffle=training)
    ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    if training:
        ds = ds.shuffle(20_000)
    ds = ds.batch(256, drop_remainder=training)

    def parse(rows):
        ex = tf.io.parse_example(rows, spec)
        return ex["s"], ex["w"]

    return ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


model = build()
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
model.fit(spectrograms("/data/words/train-*", True), validation_data=spectrograms("/data/words/val-*", False),
          epochs=30)
