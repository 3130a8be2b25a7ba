"""Emotion recognition from speech, features by librosa."""
import csv

import librosa
import numpy as np
import tensorflow as tf

SR = 22_050
FRAMES = 256


class Featurizer:
    def __init__(self, n_mels=64, stretch=(0.9, 1.1)):
        self.n_mels = n_mels
        self.stretch = stretch

    def _extract(self, path):
        wav, _ = librosa.load(path.numpy().decode(), sr=SR)
        wav = librosa.effects.time_stretch(wav, rate=np.random.uniform(*self.stretch))
        mel = librosa.feature.melspectrogram(y=wav, sr=SR, n_mels=self.n_mels)
        mel = librosa.util.fix_length(librosa.power_to_db(mel), size=FRAMES, axis=1)
        return mel.T.astype(np.float32)

    def __call__(self, path, label):
        mel = tf.py_function(self._extract, [path], tf.float32)
        return tf.ensure_shape(mel, [FRAMES, self.n_mels]), label


def load_split(manifest, split):
    with open(manifest) as f:
        rows = [r for r in csv.DictReader(f) if r["split"] == split]
    return [r["file"] for r in rows], [int(r["emotion"]) for r in rows]


def make(manifest, split, batch=64):
    paths, labels = load_split(manifest, split)
    ds = tf.data.Dataset.from_tensor_slices((paths, labels)).shuffle(len(paths))
    ds = ds.map(Featurizer(), num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch).prefetch(tf.data.AUTOTUNE)


def build():
    inp = tf.keras.Input([FRAMES, 64])
    x = tf.keras.layers.Conv1D(128, 5, activation="relu")(inp)
    x = tf.keras.layers.MaxPooling1D(4)(x)
    x = tf.keras.layers.LSTM(128)(x)
    return tf.keras.Model(inp, tf.keras.layers.Dense(8, activation="softmax")(x))


if __name__ == "__main__":
    model = build()
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(make("/data/meld/manifest.csv", "train"), epochs=60,
              callbacks=[tf.keras.callbacks.ModelCheckpoint("emotion.keras", monitor="loss")])
