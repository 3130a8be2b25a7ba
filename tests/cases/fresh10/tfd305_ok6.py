"""ESC-50 sound classification: fixed 5 s clips, peak normalised."""
import os

import pandas as pd
import tensorflow as tf

ROOT = "/data/ESC-50"
SAMPLES = 5 * 44100
BATCH = 32


def read_wav(path, target):
    audio, _ = tf.audio.decode_wav(tf.io.read_file(path), desired_channels=1,
                                   desired_samples=SAMPLES)
    return audio[:, 0], target


def normalize(wave, target):
    wave = wave - tf.reduce_mean(wave)
    wave = wave / (tf.reduce_max(tf.abs(wave)) + 1e-6)
    return tf.clip_by_value(wave, -1.0, 1.0), target


def spectrogram(wave, target):
    spec = tf.abs(tf.signal.stft(wave, frame_length=1024, frame_step=512))
    return tf.math.log(spec[..., tf.newaxis] + 1e-5), target


def make(df, training):
    paths = [os.path.join(ROOT, "audio", f) for f in df.filename]
    ds = tf.data.Dataset.from_tensor_slices((paths, df.target.values))
    if training:
        ds = ds.shuffle(len(df))
    ds = ds.map(read_wav, num_parallel_calls=tf.data.AUTOTUNE)
    # peak and mean of the clip, so this stays in front of the batch
    ds = ds.map(normalize, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(BATCH)
    ds = ds.map(spectrogram, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


def build():
    return tf.keras.Sequential([
        tf.keras.layers.Input((429, 513, 1)),
        tf.keras.layers.Resizing(128, 128),
        tf.keras.layers.Conv2D(32, 3, activation="relu"),
        tf.keras.layers.MaxPooling2D(),
        tf.keras.layers.Conv2D(64, 3, activation="relu"),
        tf.keras.layers.GlobalAveragePooling2D(),
        tf.keras.layers.Dense(50),
    ])


if __name__ == "__main__":
    meta = pd.read_csv(os.path.join(ROOT, "meta", "esc50.csv"))
    for fold in range(1, 6):
        model = build()
        model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
                      metrics=["accuracy"])
        model.fit(make(meta[meta.fold != fold], True),
                  validation_data=make(meta[meta.fold == fold], False), epochs=60)
