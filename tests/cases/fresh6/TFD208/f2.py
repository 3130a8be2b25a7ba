import csv

import numpy as np
import tensorflow as tf


class Stations:
    def __init__(self, files):
        self.files = files

    def datasets(self):
        result = {}
        for station, filename in self.files.items():
            def rows():
                with open(filename, newline="") as f:
                    for row in csv.reader(f):
                        yield np.asarray(row[:8], np.float32), np.float32(row[8])

            result[station] = tf.data.Dataset.from_generator(
                rows,
                output_signature=(tf.TensorSpec((8,), tf.float32), tf.TensorSpec((), tf.float32)),
            ).batch(64).prefetch(tf.data.AUTOTUNE)
        return result


model = tf.keras.models.load_model("/models/rain.keras")
stations = Stations({"a": "/data/a.csv", "b": "/data/b.csv", "c": "/data/c.csv"})
for station, ds in stations.datasets().items():
    print(station, model.evaluate(ds, verbose=0))
