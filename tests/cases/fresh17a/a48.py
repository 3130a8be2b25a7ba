import os

os.environ["KERAS_BACKEND"] = "jax"

import keras
import numpy as np
import tensorflow as tf

SENSORS = 24
encoder = keras.models.load_model("/models/sensor_encoder.keras")
encoder.trainable = False


def read_table(path):
    table = np.load(path)
    return table["readings"].astype("float32"), table["failed"].astype("int32")


def encode(readings, failed):
    return encoder(readings), failed


def make(path, training):
    x, y = read_table(path)
    ds = tf.data.Dataset.from_tensor_slices((x, y))
    if training:
        ds = ds.shuffle(len(x))
    ds = ds.batch(256)
    ds = ds.map(encode, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


def head():
    return keras.Sequential([
        keras.layers.Dense(64, activation="gelu"),
        keras.layers.Dropout(0.3),
        keras.layers.Dense(1, activation="sigmoid"),
    ])


def main():
    train = make("/plant/train.npz", True)
    val = make("/plant/val.npz", False)
    clf = head()
    clf.compile("adam", "binary_crossentropy", metrics=["accuracy"])
    clf.fit(train, validation_data=val, epochs=25)
    print(clf.evaluate(val))


if __name__ == "__main__":
    main()
