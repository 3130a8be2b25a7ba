from dataclasses import dataclass

import numpy as np
import tensorflow as tf
from scipy import ndimage


@dataclass
class Config:
    volumes: str = "scans.npy"
    targets: str = "targets.npy"
    epochs: int = 12
    batch: int = 4


def smooth(vol):
    out = ndimage.gaussian_filter(vol, sigma=2.0)
    return ndimage.zoom(out, 0.5, order=3).astype(np.float32)


def preprocess(vol, target):
    v = tf.numpy_function(smooth, [vol], tf.float32)
    v.set_shape((32, 32, 32))
    return v[..., None], target


def make(cfg):
    data = np.load(cfg.volumes)
    y = np.load(cfg.targets)
    return (
        tf.data.Dataset.from_tensor_slices((data, y))
        .cache()
        .shuffle(len(y))
        .map(preprocess, num_parallel_calls=tf.data.AUTOTUNE)
        .batch(cfg.batch)
        .prefetch(tf.data.AUTOTUNE)
    )


cfg = Config()
train = make(cfg)
model = tf.keras.Sequential([tf.keras.layers.Conv3D(8, 3), tf.keras.layers.Flatten(), tf.keras.layers.Dense(1)])
opt = tf.keras.optimizers.Adam()
for epoch in range(cfg.epochs):
    for x, y in train:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(x, training=True)[:, 0] - y) ** 2)
        grads = tape.gradient(loss, model.trainable_variables)
        opt.apply_gradients(zip(grads, model.trainable_variables))
