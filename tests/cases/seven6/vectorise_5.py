"""1D ResNet on 12-lead ECG, PTB-XL and three clinics (1.2 million windows)."""
import glob

import numpy as np
import tensorflow as tf
import yaml


def remove_baseline(signal):
    return signal - tf.reduce_mean(signal, axis=-1, keepdims=True)


def standardize(signal):
    return signal / (tf.math.reduce_std(signal, axis=-1, keepdims=True) + 1e-5)


def preprocess(signal, diagnosis):
    signal = tf.cast(signal, tf.float32) / 1000.0
    signal = standardize(remove_baseline(signal))
    return tf.tanh(signal), tf.cast(diagnosis, tf.float32)


def train_data(cfg):
    x = np.concatenate([np.load(f) for f in sorted(glob.glob(cfg["signals"]))])  # int16 (N, 12, 500)
    y = np.concatenate([np.load(f) for f in sorted(glob.glob(cfg["labels"]))])
    ds = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(200_000)
    ds = ds.map(preprocess, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(cfg["batch_size"], drop_remainder=True)
    return ds.prefetch(tf.data.AUTOTUNE)


def resnet1d(classes):
    inp = tf.keras.Input((12, 500))
    x = tf.keras.layers.Permute((2, 1))(inp)
    for filters in (64, 128, 256, 512):
        short = tf.keras.layers.Conv1D(filters, 1, strides=2)(x)
        x = tf.keras.layers.Conv1D(filters, 7, strides=2, padding="same", activation="relu")(x)
        x = tf.keras.layers.Conv1D(filters, 7, padding="same")(x)
        x = tf.keras.layers.ReLU()(x + short)
    x = tf.keras.layers.GlobalAveragePooling1D()(x)
    return tf.keras.Model(inp, tf.keras.layers.Dense(classes, activation="sigmoid")(x))


def main():
    with open("ecg.yaml") as f:
        cfg = yaml.safe_load(f)
    model = resnet1d(cfg["classes"])
    model.compile(tf.keras.optimizers.Adam(cfg["lr"]), "binary_crossentropy",
                  metrics=[tf.keras.metrics.AUC(multi_label=True)])
    model.fit(train_data(cfg), epochs=cfg["epochs"],
              callbacks=[tf.keras.callbacks.TensorBoard(cfg["logs"])])
    model.save(cfg["model"])


if __name__ == "__main__":
    main()
