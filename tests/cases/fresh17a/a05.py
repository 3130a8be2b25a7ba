import numpy as np
import tensorflow as tf

CLASSES, BATCH = 10, 128


def arrays():
    (xa, ya), (xb, yb) = tf.keras.datasets.fashion_mnist.load_data()
    xa = xa[..., None].astype("float32") / 255.0
    xb = xb[..., None].astype("float32") / 255.0
    ya = tf.keras.utils.to_categorical(ya, CLASSES)
    yb = tf.keras.utils.to_categorical(yb, CLASSES)
    return (xa, ya), (xb, yb)


def pipeline(x, y, training):
    ds = tf.data.Dataset.from_tensor_slices((x, y))
    if training:
        ds = ds.shuffle(len(x))
    return ds.batch(BATCH).prefetch(tf.data.AUTOTUNE)


def lenet():
    return tf.keras.Sequential([
        tf.keras.Input((28, 28, 1)),
        tf.keras.layers.Conv2D(6, 5, padding="same", activation="relu"),
        tf.keras.layers.AveragePooling2D(),
        tf.keras.layers.Conv2D(16, 5, activation="relu"),
        tf.keras.layers.AveragePooling2D(),
        tf.keras.layers.Flatten(),
        tf.keras.layers.Dense(120, activation="relu"),
        tf.keras.layers.Dense(84, activation="relu"),
        tf.keras.layers.Dense(CLASSES, activation="softmax"),
    ])


if __name__ == "__main__":
    (xa, ya), (xb, yb) = arrays()
    model = lenet()
    model.compile(optimizer="adam", loss="sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(pipeline(xa, ya, True), validation_data=pipeline(xb, yb, False), epochs=12)
