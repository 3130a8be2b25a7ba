import dataclasses

import numpy as np
import tensorflow as tf


@dataclasses.dataclass
class Splits:
    train: tf.data.Dataset
    valid: tf.data.Dataset
    test: tf.data.Dataset


def make(n, seed):
    rng = np.random.default_rng(seed)
    x = rng.random((n, 5), dtype=np.float32)
    return tf.data.Dataset.from_tensor_slices((x, x.sum(axis=1)))


splits = Splits(make(64, 0), make(24, 1), make(24, 2))
splits.train = splits.train.shuffle(64)

for field in dataclasses.fields(splits):
    ds = getattr(splits, field.name)
    setattr(splits, field.name, ds.batch(8).prefetch(tf.data.AUTOTUNE))

model = tf.keras.Sequential([tf.keras.Input((5,)), tf.keras.layers.Dense(8, "relu"), tf.keras.layers.Dense(1)])
model.compile(optimizer="adam", loss="mse")
model.fit(splits.train, validation_data=splits.valid, epochs=2, verbose=0)
print("test mse", model.evaluate(splits.test, verbose=0))
