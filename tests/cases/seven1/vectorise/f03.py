import functools

import tensorflow as tf


def standardise(row, target, mean, std):
    return (row - mean) / std, target


class SensorPipeline:
    def __init__(self, rows, targets, batch_size=1024):
        self.rows = rows
        self.targets = targets
        self.batch_size = batch_size
        self.mean = rows.mean(axis=0).astype("float32")
        self.std = rows.std(axis=0).astype("float32") + 1e-6

    def _transform(self):
        return functools.partial(standardise, mean=self.mean, std=self.std)

    def build(self):
        ds = tf.data.Dataset.from_tensor_slices((self.rows, self.targets))
        ds = ds.shuffle(len(self.rows))
        ds = ds.map(self._transform(), num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.batch(self.batch_size, drop_remainder=True)
        return ds.prefetch(tf.data.AUTOTUNE)


def main():
    import numpy as np

    rows = np.load("sensor_rows.npy").astype("float32")
    targets = np.load("sensor_targets.npy").astype("float32")
    pipeline = SensorPipeline(rows, targets)
    model = tf.keras.Sequential([
        tf.keras.layers.Dense(128, activation="relu"),
        tf.keras.layers.Dense(128, activation="relu"),
        tf.keras.layers.Dense(1),
    ])
    model.compile("adam", "mse")
    model.fit(pipeline.build(), epochs=50)


if __name__ == "__main__":
    main()
