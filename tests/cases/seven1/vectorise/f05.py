import dataclasses
from typing import Callable, Sequence

import numpy as np
import tensorflow as tf


def to_float(x, y):
    return tf.cast(x, tf.float32), y


def center(x, y):
    return x / 127.5 - 1.0, y


def smooth(x, y):
    return x, tf.one_hot(y, 100) * 0.9 + 0.001


@dataclasses.dataclass
class DataConfig:
    batch_size: int = 256
    shuffle: int = 50_000
    stages: Sequence[Callable] = (to_float, center, smooth)


def make_dataset(x, y, cfg: DataConfig):
    ds = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(cfg.shuffle)
    for stage in cfg.stages:
        ds = ds.map(stage, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(cfg.batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


(x_train, y_train), _ = tf.keras.datasets.cifar100.load_data()
train_ds = make_dataset(x_train, np.squeeze(y_train), DataConfig())

model = tf.keras.applications.ResNet50(weights=None, input_shape=(32, 32, 3), classes=100)
model.compile(
    tf.keras.optimizers.SGD(0.1, momentum=0.9),
    loss="categorical_crossentropy",
    metrics=["accuracy"],
)
model.fit(train_ds, epochs=100)
