import numpy as np
import tensorflow as tf


class Demand:
    history = 48
    batch_size = 64

    def __init__(self, path):
        self.values = np.load(path).astype("float32")

    def windows(self):
        return tf.keras.utils.timeseries_dataset_from_array(
            self.values[:-self.history],
            self.values[self.history:],
            sequence_length=self.history,
            shuffle=True,
        )

    def finish(self, ds):
        return ds.batch(self.batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)

    def dataset(self):
        return self.finish(self.windows())


model = tf.keras.Sequential([
    tf.keras.Input((Demand.history,)),
    tf.keras.layers.Dense(32, activation="relu"),
    tf.keras.layers.Dense(1),
])
model.compile("adam", "mae")
model.fit(Demand("demand.npy").dataset(), epochs=10)
