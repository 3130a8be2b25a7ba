from dataclasses import dataclass

import numpy as np
import tensorflow as tf


@dataclass
class WindowConfig:
    length: int = 30
    stride: int = 1
    batch_size: int = 32


class Forecaster:
    def __init__(self, prices, config):
        self.prices = np.log(prices).astype("float32")
        self.config = config

    def dataset(self):
        ds = tf.keras.preprocessing.timeseries_dataset_from_array(
            self.prices,
            targets=self.prices,
            sequence_length=self.config.length,
            sequence_stride=self.config.stride,
            batch_size=self.config.batch_size,
            shuffle=True,
        )
        return ds.prefetch(tf.data.AUTOTUNE)

    def fit(self, epochs):
        model = tf.keras.Sequential([
            tf.keras.Input((self.config.length,)),
            tf.keras.layers.Reshape((self.config.length, 1)),
            tf.keras.layers.GRU(16),
            tf.keras.layers.Dense(1),
        ])
        model.compile("adam", "huber")
        model.fit(self.dataset(), epochs=epochs)
        return model


Forecaster(np.loadtxt("close.txt"), WindowConfig()).fit(epochs=30)
