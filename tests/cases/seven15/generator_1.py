import numpy as np
import tensorflow as tf


class WellLogs:
    """Core samples with eleven log channels."""

    def __init__(self, archive, batch=512):
        blob = np.load(archive)
        self.x = blob["logs"].astype("float32")
        self.y = blob["porosity"].astype("float32")
        self.batch = batch

    def _rows(self):
        for i in range(len(self.x)):
            yield self.x[i], self.y[i]

    def as_dataset(self):
        sig = (
            tf.TensorSpec((self.x.shape[1],), tf.float32),
            tf.TensorSpec((), tf.float32),
        )
        ds = tf.data.Dataset.from_generator(self._rows, output_signature=sig)
        ds = ds.shuffle(len(self.x), reshuffle_each_iteration=True)
        return ds.batch(self.batch).prefetch(tf.data.AUTOTUNE)


def mlp(width):
    norm = tf.keras.layers.BatchNormalization()
    return tf.keras.Sequential([
        tf.keras.Input((width,)),
        norm,
        tf.keras.layers.Dense(128, "relu"),
        tf.keras.layers.Dense(64, "relu"),
        tf.keras.layers.Dense(1),
    ])


def main():
    logs = WellLogs("field_a.npz")
    net = mlp(logs.x.shape[1])
    net.compile("adam", "mae")
    net.fit(logs.as_dataset(), epochs=100, verbose=2)
    net.save("porosity.keras")


if __name__ == "__main__":
    main()
