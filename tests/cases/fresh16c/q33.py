"""Human activity recognition from wrist IMU windows."""
import numpy as np
import tensorflow as tf


class Stage:
    def __call__(self, ds):
        raise NotImplementedError


class Batch(Stage):
    def __init__(self, size):
        self.size = size

    def __call__(self, ds):
        return ds.batch(self.size)


class Shuffle(Stage):
    def __init__(self, buffer_size):
        self.buffer_size = buffer_size

    def __call__(self, ds):
        return ds.shuffle(self.buffer_size)


class Prefetch(Stage):
    def __call__(self, ds):
        return ds.prefetch(tf.data.AUTOTUNE)


def run_stages(ds, stages):
    for stage in stages:
        ds = stage(ds)
    return ds


def load(split):
    blob = np.load(f"/data/har/{split}.npz")
    return blob["windows"].astype("float32"), blob["activity"].astype("int32")


TRAIN_STAGES = [Batch(64), Shuffle(2000), Prefetch()]
TEST_STAGES = [Batch(64), Prefetch()]


def build():
    model = tf.keras.Sequential([
        tf.keras.Input((128, 6)),
        tf.keras.layers.Conv1D(64, 7, activation="relu"),
        tf.keras.layers.MaxPool1D(4),
        tf.keras.layers.Bidirectional(tf.keras.layers.LSTM(64)),
        tf.keras.layers.Dense(6, activation="softmax"),
    ])
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    return model


if __name__ == "__main__":
    train = run_stages(tf.data.Dataset.from_tensor_slices(load("train")), TRAIN_STAGES)
    test = run_stages(tf.data.Dataset.from_tensor_slices(load("test")), TEST_STAGES)
    model = build()
    model.fit(train, epochs=25, validation_data=test)
    model.save("har.keras")
