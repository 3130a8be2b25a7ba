import csv

import numpy as np
import tensorflow as tf
from scipy.io import wavfile

SAMPLES = 16000 * 4


def _load_clip(path):
    rate, data = wavfile.read(path.numpy().decode())
    data = data.astype(np.float32) / 32768.0
    if data.ndim > 1:
        data = data.mean(axis=1)
    data = data[:SAMPLES]
    return np.pad(data, (0, SAMPLES - len(data)))


def load_clip(path, label):
    wave = tf.py_function(_load_clip, [path], tf.float32)
    wave.set_shape([SAMPLES])
    spec = tf.abs(tf.signal.stft(wave, 400, 160))
    return tf.math.log(spec + 1e-6), label


def read_index(path):
    with open(path, newline="") as f:
        rows = list(csv.DictReader(f))
    return [r["wav"] for r in rows], [int(r["emotion"]) for r in rows]


def make_dataset(index, batch, seed=0):
    wavs, labels = read_index(index)
    ds = tf.data.Dataset.from_tensor_slices((wavs, labels))
    ds = ds.shuffle(len(wavs), seed=seed)
    ds = ds.map(load_clip, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch).prefetch(tf.data.AUTOTUNE)


train = make_dataset("ravdess_train.csv", 32)
model = tf.keras.Sequential([
    tf.keras.layers.Conv1D(64, 5, strides=2, activation="relu"),
    tf.keras.layers.Conv1D(128, 5, strides=2, activation="relu"),
    tf.keras.layers.GlobalAveragePooling1D(),
    tf.keras.layers.Dense(8),
])
model.compile(
    optimizer=tf.keras.optimizers.Adam(1e-3),
    loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    metrics=["accuracy"],
)
model.fit(train, epochs=40)
