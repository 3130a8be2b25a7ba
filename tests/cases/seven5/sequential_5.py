"""Regression of taxi fares, straight from the monthly csv dumps."""
from dataclasses import dataclass

import tensorflow as tf
import keras

DEFAULTS = [0.0] * 9


@dataclass
class Csv:
    pattern: str
    batch_size: int = 1024
    open_files: int = 8

    def lines(self):
        def open_month(name):
            return tf.data.TextLineDataset(name, compression_type="GZIP").skip(1)

        months = tf.data.Dataset.list_files(self.pattern)
        return months.interleave(
            open_month,
            cycle_length=self.open_files,
            block_length=16,
            deterministic=False,
        )

    def batches(self):
        def parse(lines):
            *columns, fare = tf.io.decode_csv(lines, DEFAULTS)
            return tf.stack(columns, axis=1), fare

        return (
            self.lines()
            .shuffle(200_000)
            .batch(self.batch_size)
            .map(parse, num_parallel_calls=tf.data.AUTOTUNE)
            .prefetch(tf.data.AUTOTUNE)
        )


def make_model():
    norm = keras.layers.BatchNormalization()
    return keras.Sequential([
        keras.Input((8,)), norm,
        keras.layers.Dense(256, activation="gelu"),
        keras.layers.Dense(256, activation="gelu"),
        keras.layers.Dense(1),
    ])


if __name__ == "__main__":
    train = Csv("/data/taxi/2015-*.csv.gz")
    valid = Csv("/data/taxi/2016-0[1-3].csv.gz")
    model = make_model()
    model.compile("adam", "mae")
    model.fit(train.batches(), validation_data=valid.batches(), epochs=4)
