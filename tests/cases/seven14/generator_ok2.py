"""Traffic forecast; the window class wraps the Keras time-series loader."""
import numpy as np
import pandas as pd
import tensorflow as tf


class WindowGenerator:
    def __init__(self, frame, input_width, label_width, label_columns):
        n = len(frame)
        self.parts = {"train": frame[:int(n * 0.7)], "val": frame[int(n * 0.7):int(n * 0.9)],
                      "test": frame[int(n * 0.9):]}
        self.mean, self.std = self.parts["train"].mean(), self.parts["train"].std()
        self.cols = {c: i for i, c in enumerate(frame.columns)}
        self.input_width = input_width
        self.total = input_width + label_width
        self.label_columns = label_columns

    def split_window(self, w):
        x = w[:, :self.input_width, :]
        y = tf.stack([w[:, self.input_width:, self.cols[c]] for c in self.label_columns], -1)
        return x, y

    def generator(self, part):
        data = ((self.parts[part] - self.mean) / self.std).to_numpy(np.float32)
        ds = tf.keras.utils.timeseries_dataset_from_array(
            data, targets=None, sequence_length=self.total,
            shuffle=part == "train", batch_size=512)
        return ds.map(self.split_window, num_parallel_calls=tf.data.AUTOTUNE) \
                 .prefetch(tf.data.AUTOTUNE)

    train = property(lambda self: self.generator("train"))
    val = property(lambda self: self.generator("val"))


frame = pd.read_parquet("/data/pems/bay.parquet").astype("float32")
w = WindowGenerator(frame, 288, 12, list(frame.columns[:20]))
model = tf.keras.Sequential([
    tf.keras.layers.GRU(128),
    tf.keras.layers.Dense(12 * 20),
    tf.keras.layers.Reshape((12, 20)),
])
model.compile("adam", "mae")
model.fit(w.train, validation_data=w.val, epochs=40)
