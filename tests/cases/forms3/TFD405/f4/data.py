from dataclasses import dataclass

import numpy as np
import tensorflow as tf


@dataclass
class DataConfig:
    path: str
    batch: int = 32
    passes: int = -1


def load(config: DataConfig):
    arrays = np.load(config.path)
    ds = tf.data.Dataset.from_tensor_slices((arrays["x"], arrays["y"]))
    ds = ds.repeat(config.passes).batch(config.batch)
    return ds.prefetch(tf.data.AUTOTUNE)
