import os

import librosa
import numpy as np
import tensorflow as tf

GENRES = sorted(os.listdir("data/gtzan"))
RATE = 16000
SECONDS = 10
FRAMES = 313


def features(path):
    audio, _ = librosa.load(path.numpy().decode(), sr=RATE, duration=SECONDS, res_type="kaiser_fast")
    audio = librosa.util.fix_length(audio, size=RATE * SECONDS)
    mel = librosa.feature.melspectrogram(y=audio, sr=RATE, n_mels=96, hop_length=512)
    return librosa.power_to_db(mel, ref=np.max).astype(np.float32)


def load(path, label):
    mel = tf.py_function(features, [path], tf.float32)
    mel = tf.ensure_shape(mel, [96, FRAMES])
    return mel[..., tf.newaxis] / 80.0 + 1.0, label


paths, labels = [], []
for index, genre in enumerate(GENRES):
    for name in sorted(os.listdir(os.path.join("data/gtzan", genre))):
        paths.append(os.path.join("data/gtzan", genre, name))
        labels.append(index)

order = np.random.default_rng(0).permutation(len(paths))
paths, labels = np.array(paths)[order], np.array(labels)[order]
split = int(0.8 * len(paths))


def make(paths, labels, training):
    ds = tf.data.Dataset.from_tensor_slices((paths, labels))
    if training:
        ds = ds.shuffle(len(paths))
    ds = ds.map(load)
    return ds.batch(32)


model = tf.keras.Sequential(
    [
        tf.keras.layers.Conv2D(32, 3, activation="relu", input_shape=(96, FRAMES, 1)),
        tf.keras.layers.MaxPooling2D((2, 4)),
        tf.keras.layers.Conv2D(64, 3, activation="relu"),
        tf.keras.layers.MaxPooling2D((2, 4)),
        tf.keras.layers.Conv2D(128, 3, activation="relu"),
        tf.keras.layers.GlobalAveragePooling2D(),
        tf.keras.layers.Dense(len(GENRES), activation="softmax"),
    ]
)
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(
    make(paths[:split], labels[:split], True),
    validation_data=make(paths[split:], labels[split:], False),
    epochs=50,
    callbacks=[tf.keras.callbacks.EarlyStopping(patience=8, restore_best_weights=True)],
)
model.save("genres.h5")
