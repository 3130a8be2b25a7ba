"""Ride-demand forecasting from parquet-exported float columns (40M rows), Hydra config."""
import hydra
from omegaconf import DictConfig
import numpy as np
import pandas as pd
import tensorflow as tf

SKEWED = ("fare", "distance", "duration", "surge_area")


def to_columns(files):
    frame = pd.concat([pd.read_parquet(f) for f in files], ignore_index=True)
    target = frame.pop("pickups").to_numpy(np.float32)
    return {c: frame[c].to_numpy(np.float32) for c in frame.columns}, target


def squash(features, target):
    """log1p for the long tailed columns, cyclic encoding of the hour."""
    out = {k: tf.math.log1p(tf.maximum(v, 0.0)) if k in SKEWED else v
           for k, v in features.items()}
    angle = features["hour"] * (2.0 * np.pi / 24.0)
    out["hour_sin"], out["hour_cos"] = tf.sin(angle), tf.cos(angle)
    return out, tf.math.log1p(target)


def batched_with(ds, fn, batch_size, drop_remainder=False):
    ds = ds.map(fn, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(batch_size, drop_remainder=drop_remainder)
    return ds.prefetch(tf.data.AUTOTUNE)


def make_split(files, cfg, training):
    ds = tf.data.Dataset.from_tensor_slices(to_columns(files))
    if training:
        ds = ds.shuffle(cfg.data.shuffle_buffer)
    return batched_with(ds, squash, cfg.train.batch_size, training)


def regressor(names, width, depth):
    inputs = {n: tf.keras.Input((), name=n) for n in names}
    x = tf.keras.layers.Lambda(lambda v: tf.stack(v, axis=-1))(list(inputs.values()))
    for _ in range(depth):
        h = tf.keras.layers.Dense(width, activation="swish")(x)
        x = tf.keras.layers.Concatenate()([x, h])
    return tf.keras.Model(inputs, tf.keras.layers.Dense(1)(x)[:, 0])


@hydra.main(config_path="conf", config_name="demand", version_base=None)
def main(cfg: DictConfig):
    files = sorted(tf.io.gfile.glob(cfg.data.pattern))
    train = make_split(files[:-2], cfg, True)
    valid = make_split(files[-2:], cfg, False)
    names = list(train.element_spec[0])
    model = regressor(names, cfg.model.width, cfg.model.depth)
    model.compile(tf.keras.optimizers.Adam(cfg.train.lr), "huber", metrics=["mae"])
    model.fit(train, validation_data=valid, epochs=cfg.train.epochs,
              callbacks=[tf.keras.callbacks.ReduceLROnPlateau(patience=2),
                         tf.keras.callbacks.ModelCheckpoint("best.keras", save_best_only=True)])


if __name__ == "__main__":
    main()
