import numpy as np
import tensorflow as tf


class Pipeline:
    def __init__(self, settings):
        self.settings = settings

    def source(self):
        blob = np.load(self.settings["file"])
        x, y = blob["x"].astype("float32"), blob["y"].astype("int32")
        self.size = len(x)
        return tf.data.Dataset.from_tensor_slices((x, y))

    def endless(self, ds):
        return ds.repeat()

    def mixed(self, ds):
        return ds.shuffle(buffer_size=self.size)

    def build(self, training):
        ds = self.source()
        if training:
            ds = self.endless(self.mixed(ds))
        ds = ds.batch(self.settings["batch_size"], drop_remainder=training)
        return ds.prefetch(tf.data.AUTOTUNE)


if __name__ == "__main__":
    net = tf.keras.Sequential([
        tf.keras.layers.Dense(512, activation="gelu"),
        tf.keras.layers.Dense(28),
    ])
    net.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    pipe = Pipeline({"file": "covtype.npz", "batch_size": 512})
    net.fit(pipe.build(training=True), steps_per_epoch=1000, epochs=50)
