import functools

import numpy as np
import tensorflow as tf


class PatchTrainer:
    def __init__(self, index_file, batch_size=32, epochs=25):
        self.index_file = index_file
        self.batch_size = batch_size
        self.epochs = epochs

    @staticmethod
    def _load(path, label):
        image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
        return tf.image.resize(image, [96, 96]) / 255.0, label

    @functools.cached_property
    def dataset(self):
        table = np.loadtxt(self.index_file, dtype=str, delimiter=",")
        ds = tf.data.Dataset.from_tensor_slices((table[:, 0], table[:, 1].astype("int32")))
        ds = ds.shuffle(len(table))
        ds = ds.map(self._load, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(self.batch_size).prefetch(tf.data.AUTOTUNE)

    @functools.cached_property
    def steps_per_epoch(self):
        count = self.dataset.reduce(np.int64(0), lambda n, _: n + 1)
        return int(count)

    def run(self):
        schedule = tf.keras.optimizers.schedules.CosineDecay(
            1e-3, decay_steps=self.steps_per_epoch * self.epochs
        )
        model = tf.keras.applications.ResNet50(
            weights=None, input_shape=(96, 96, 3), classes=2
        )
        model.compile(
            tf.keras.optimizers.Adam(schedule), "sparse_categorical_crossentropy", metrics=["accuracy"]
        )
        model.fit(self.dataset, epochs=self.epochs)
        model.save("patches.keras")


if __name__ == "__main__":
    PatchTrainer("/data/camelyon/train.csv").run()
