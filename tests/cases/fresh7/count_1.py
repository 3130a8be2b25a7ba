"""Fine-grained price regression with a cosine schedule, which needs the number of steps."""
import dataclasses

import numpy as np
import pandas as pd
import tensorflow as tf


@dataclasses.dataclass(frozen=True)
class Config:
    csv: str = "data/houses.csv"
    target: str = "price"
    batch: int = 256
    epochs: int = 20
    peak: float = 3e-3


class Houses:
    def __init__(self, config):
        frame = pd.read_csv(config.csv)
        self.y = np.log(frame.pop(config.target).to_numpy("float32"))
        self.x = frame.select_dtypes("number").to_numpy("float32")
        self.config = config

    def train(self):
        ds = tf.data.Dataset.from_tensor_slices((self.x, self.y))
        ds = ds.shuffle(len(self.x)).batch(self.config.batch)
        return ds.prefetch(tf.data.AUTOTUNE)

    def steps_per_epoch(self):
        counted = self.train().reduce(np.int64(0), lambda n, _: n + 1)
        return int(counted)


def main():
    config = Config()
    houses = Houses(config)
    steps = config.epochs * houses.steps_per_epoch()
    schedule = tf.keras.optimizers.schedules.CosineDecay(config.peak, steps)
    normalise = tf.keras.layers.Normalization()
    normalise.adapt(houses.x)
    model = tf.keras.Sequential([
        normalise,
        tf.keras.layers.Dense(128, activation="relu"),
        tf.keras.layers.Dense(1),
    ])
    model.compile(tf.keras.optimizers.Adam(schedule), "mse", metrics=["mae"])
    model.fit(houses.train(), epochs=config.epochs)


if __name__ == "__main__":
    main()
