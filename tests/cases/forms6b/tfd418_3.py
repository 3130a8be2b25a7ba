from dataclasses import dataclass
from typing import Callable

import numpy as np
import tensorflow as tf


@dataclass
class Settings:
    audio_list: str = "/data/esc/train_audio.txt"
    label_list: str = "/data/esc/train_labels.txt"
    batch_size: int = 64
    buffer: int = 40_000


def read_lines(path):
    with open(path) as handle:
        return [line.strip() for line in handle]


def load_audio(path):
    audio, _ = tf.audio.decode_wav(tf.io.read_file(path), desired_channels=1, desired_samples=32_000)
    return tf.abs(tf.signal.stft(audio[:, 0], 512, 256))


def to_label(text):
    return tf.strings.to_number(text, tf.int32)


def stream(values, fn: Callable, settings: Settings):
    ds = tf.data.Dataset.from_tensor_slices(np.array(values))
    ds = ds.shuffle(settings.buffer)
    return ds.map(fn, num_parallel_calls=tf.data.AUTOTUNE)


def training_data(settings):
    audio = stream(read_lines(settings.audio_list), load_audio, settings)
    labels = stream(read_lines(settings.label_list), to_label, settings)
    pairs = tf.data.Dataset.zip(audio, labels)
    return pairs.batch(settings.batch_size).prefetch(tf.data.AUTOTUNE)


def main():
    ds = training_data(Settings())
    model = tf.keras.Sequential([
        tf.keras.Input((124, 257)),
        tf.keras.layers.Conv1D(128, 5, activation="relu"),
        tf.keras.layers.Conv1D(128, 5, activation="relu"),
        tf.keras.layers.GlobalAveragePooling1D(),
        tf.keras.layers.Dense(50, activation="softmax"),
    ])
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(ds, epochs=50)


if __name__ == "__main__":
    main()
