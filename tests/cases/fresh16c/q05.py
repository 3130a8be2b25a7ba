from dataclasses import dataclass

import numpy as np
import tensorflow as tf


@dataclass
class AugmentConfig:
    sigma: float = 0.03
    scale: tuple = (0.8, 1.2)
    lead_drop: float = 0.1
    seed: int = 99


class EcgAugmenter:
    """Random noise, amplitude scaling and lead dropout for 12-lead ECGs."""

    def __init__(self, config):
        self.config = config
        self.rng = np.random.default_rng(config.seed)

    def noise(self, signal):
        jitter = self.rng.normal(0.0, self.config.sigma, size=(1000, 12))
        return signal + jitter.astype("float32")

    def scale(self, signal):
        return signal * np.float32(self.rng.uniform(*self.config.scale))

    def drop_leads(self, signal):
        keep = self.rng.random(12) > self.config.lead_drop
        return signal * tf.constant(keep, tf.float32)

    def __call__(self, signal, label):
        for op in (self.noise, self.scale, self.drop_leads):
            signal = op(signal)
        return signal, label


def ptbxl(fold_range):
    data = np.load("/data/ptbxl/ptbxl100.npz", mmap_mode="r")
    mask = np.isin(data["fold"], list(fold_range))
    return data["signal"][mask].astype("float32"), data["superclass"][mask].astype("float32")


def train_set(batch_size):
    x, y = ptbxl(range(1, 9))
    ds = tf.data.Dataset.from_tensor_slices((x, y))
    ds = ds.shuffle(len(x))
    ds = ds.map(EcgAugmenter(AugmentConfig()), num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


def val_set(batch_size):
    return tf.data.Dataset.from_tensor_slices(ptbxl([9])).batch(batch_size).prefetch(tf.data.AUTOTUNE)


def resnet1d():
    x = inp = tf.keras.Input((1000, 12))
    for ch in (64, 128, 192):
        x = tf.keras.layers.Conv1D(ch, 9, strides=2, padding="same")(x)
        x = tf.keras.layers.ReLU()(tf.keras.layers.BatchNormalization()(x))
    x = tf.keras.layers.GlobalAveragePooling1D()(x)
    return tf.keras.Model(inp, tf.keras.layers.Dense(5, activation="sigmoid")(x))


if __name__ == "__main__":
    model = resnet1d()
    model.compile("adam", "binary_crossentropy", metrics=[tf.keras.metrics.AUC(multi_label=True)])
    model.fit(train_set(128), validation_data=val_set(128), epochs=50)
    model.save("ecg.keras")
