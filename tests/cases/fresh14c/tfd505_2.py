import pathlib

import numpy as np
import tensorflow as tf
from tensorflow.profiler import experimental as tfprof


class PerformanceCallback(tf.keras.callbacks.Callback):
    def __init__(self, logdir, batches=(15, 20)):
        super().__init__()
        self.logdir = str(logdir)
        self.first, self.last = batches
        self.active = False
        self.finished = False

    def on_train_batch_begin(self, batch, logs=None):
        if batch == self.first and not self.finished:
            options = tfprof.ProfilerOptions(host_tracer_level=2, python_tracer_level=0)
            tfprof.start(self.logdir, options=options)
            self.active = True

    def on_train_batch_end(self, batch, logs=None):
        if self.active and batch == self.last:
            self.active = False
            self.finished = True
            print("profile in", self.logdir)


def load_volumes(folder):
    volumes, grades = [], []
    for name in sorted(pathlib.Path(folder).glob("*.npz")):
        with np.load(name) as item:
            volumes.append(item["volume"].astype(np.float16))
            grades.append(int(item["grade"]))
    return np.stack(volumes), np.array(grades)


def to_input(volumes, grades):
    return tf.cast(volumes[..., None], tf.float32) / 1000.0, grades


def dataset(volumes, grades, batch_size):
    ds = tf.data.Dataset.from_tensor_slices((volumes, grades))
    ds = ds.shuffle(len(grades)).batch(batch_size)
    ds = ds.map(to_input, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


def network(shape, grades=4):
    inputs = tf.keras.Input([*shape, 1])
    x = inputs
    for width in (16, 32, 64):
        x = tf.keras.layers.Conv3D(width, 3, padding="same", activation="relu")(x)
        x = tf.keras.layers.MaxPool3D()(x)
    x = tf.keras.layers.GlobalAveragePooling3D()(x)
    return tf.keras.Model(inputs, tf.keras.layers.Dense(grades)(x))


def main():
    volumes, grades = load_volumes("mri/train")
    model = network(volumes.shape[1:])
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), ["accuracy"])
    model.fit(
        dataset(volumes, grades, 4),
        epochs=12,
        callbacks=[PerformanceCallback(pathlib.Path("logs") / "mri")],
    )
    model.save("mri.keras")


if __name__ == "__main__":
    main()
