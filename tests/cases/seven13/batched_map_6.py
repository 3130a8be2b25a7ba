"""Movie recommender: transforms are named in the config and looked up in a registry."""
import dataclasses
from typing import Tuple

import numpy as np
import tensorflow as tf

TRANSFORMS = {}


def transform(fn):
    TRANSFORMS[fn.__name__] = fn
    return fn


@transform
def name_inputs(user, item, when, rating):
    return {"user": user, "item": item, "when": when}, rating


@transform
def cyclic_time(inputs, rating):
    hour = tf.cast(inputs.pop("when") // 3600 % 24, tf.float32)
    angle = hour * (2.0 * np.pi / 24.0)
    return {**inputs, "clock": tf.stack([tf.sin(angle), tf.cos(angle)], -1)}, rating


@transform
def centre_rating(inputs, rating):
    return inputs, (rating - 3.5) / 1.5


@dataclasses.dataclass
class RecConfig:
    table: str = "/data/ml-25m/ratings.npz"
    transforms: Tuple[str, ...] = ("name_inputs", "cyclic_time", "centre_rating")
    batch: int = 16_384
    epochs: int = 12


def build_dataset(cfg):
    z = np.load(cfg.table)
    ds = tf.data.Dataset.from_tensor_slices((z["user"], z["item"], z["when"], z["rating"]))
    ds = ds.shuffle(1_000_000)
    for name in cfg.transforms:
        ds = ds.map(TRANSFORMS[name], num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(cfg.batch, drop_remainder=True)
    return ds.prefetch(tf.data.AUTOTUNE), int(z["user"].max()) + 1, int(z["item"].max()) + 1


def build_model(users, items, dim=64):
    user = tf.keras.Input([], name="user", dtype=tf.int32)
    item = tf.keras.Input([], name="item", dtype=tf.int32)
    clock = tf.keras.Input([2], name="clock")
    u = tf.keras.layers.Embedding(users, dim)(user)
    v = tf.keras.layers.Embedding(items, dim)(item)
    x = tf.keras.layers.Concatenate()([u, v, u * v, clock])
    x = tf.keras.layers.Dense(128, activation="relu")(x)
    return tf.keras.Model({"user": user, "item": item, "clock": clock}, tf.keras.layers.Dense(1)(x))


if __name__ == "__main__":
    cfg = RecConfig()
    data, n_users, n_items = build_dataset(cfg)
    model = build_model(n_users, n_items)
    model.compile("adam", "mse")
    model.fit(data, epochs=cfg.epochs)
