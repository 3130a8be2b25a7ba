import csv

import numpy as np
import tensorflow as tf


class CreditData:
    def __init__(self, path, batch_size=64):
        self.path = path
        self.batch_size = batch_size

    def rows(self):
        with open(self.path, newline="") as file:
            for row in csv.reader(file):
                values = np.array(row, dtype="float32")
                weight = 3.0 if values[-1] == 1 else 1.0
                yield values[:-1], values[-1], weight

    def dataset(self):
        ds = tf.data.Dataset.from_generator(
            self.rows,
            output_types=(tf.float32, tf.float32),
            output_shapes=((23,), ()),
        )
        return ds.shuffle(30_000).batch(self.batch_size).prefetch(tf.data.AUTOTUNE)


model = tf.keras.Sequential([
    tf.keras.Input((23,)),
    tf.keras.layers.BatchNormalization(),
    tf.keras.layers.Dense(16, activation="relu"),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
model.compile("adam", "binary_crossentropy")
model.fit(CreditData("credit.csv").dataset(), epochs=10)
