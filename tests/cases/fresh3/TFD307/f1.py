import numpy as np
import tensorflow as tf


class Source:
    endless = True

    def __init__(self, path):
        with np.load(path) as arrays:
            self.x, self.y = arrays["x"].astype("float32"), arrays["y"]

    def examples(self):
        ds = tf.data.Dataset.from_tensor_slices((self.x, self.y))
        return ds.repeat() if self.endless else ds


class TrainingSource(Source):
    def __init__(self, path, batch):
        super().__init__(path)
        self.batch = batch

    def batches(self):
        ds = super().examples()
        ds = ds.shuffle(buffer_size=5 * self.batch + 1000)
        return ds.batch(self.batch).prefetch(tf.data.AUTOTUNE)


source = TrainingSource("cells.npz", 100)
model = tf.keras.Sequential([
    tf.keras.layers.Dense(64, activation="relu"),
    tf.keras.layers.Dense(7, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(source.batches(), steps_per_epoch=len(source.y) // 100, epochs=25)
