import numpy as np
import tensorflow as tf
from tensorflow.keras import layers, models

BATCH = 4

inc_dataset = tf.data.Dataset.range(100)
dec_dataset = tf.data.Dataset.range(0, -100, -1)
dataset = tf.data.Dataset.zip((inc_dataset, dec_dataset))
batched_dataset = dataset.batch(BATCH)

iterator = batched_dataset.make_one_shot_iterator()
next_element = iterator.get_next()
print("first:", next_element)


def to_float(x, y):
    x = tf.cast(tf.expand_dims(x, -1), tf.float32) / 100.0
    y = tf.cast(tf.expand_dims(y, -1), tf.float32) / 100.0
    return x, y


def build():
    net = models.Sequential([
        layers.Input((1,)),
        layers.Dense(8, activation="relu"),
        layers.Dense(1),
    ])
    net.compile(optimizer="adam", loss="mse")
    return net


train = dataset.shuffle(100).batch(BATCH).map(to_float).prefetch(tf.data.AUTOTUNE)
net = build()
net.fit(train, epochs=20)

probe = np.linspace(0.0, 1.0, 5, dtype="float32")[:, None]
print(net.predict(probe))
