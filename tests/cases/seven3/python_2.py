import functools
import json
import pathlib

import keras
import librosa
import numpy as np
import tensorflow as tf

SR = 22050
N_MFCC = 40
FRAMES = 430


def mfcc(path, hop):
    wave, _ = librosa.load(path.numpy().decode(), sr=SR, duration=10.0)
    feats = librosa.feature.mfcc(y=wave, sr=SR, n_mfcc=N_MFCC, hop_length=hop).T
    return librosa.util.fix_length(feats, size=FRAMES, axis=0).astype(np.float32)


def featurize(path, label, hop=512):
    x = tf.py_function(func=functools.partial(mfcc, hop=hop), inp=[path], Tout=tf.float32)
    return tf.ensure_shape(x, (FRAMES, N_MFCC)), label


def make(index, batch_size, training):
    items = json.loads(pathlib.Path(index).read_text())
    paths = [item["file"] for item in items]
    genres = [item["genre"] for item in items]
    ds = tf.data.Dataset.from_tensor_slices((paths, genres))
    if training:
        ds = ds.shuffle(len(paths))
    ds = ds.map(featurize, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


model = keras.Sequential([
    keras.Input((FRAMES, N_MFCC)),
    keras.layers.Conv1D(128, 5, activation="relu"),
    keras.layers.Bidirectional(keras.layers.LSTM(96)),
    keras.layers.Dropout(0.3),
    keras.layers.Dense(16, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(make("fma/train.json", 64, True), validation_data=make("fma/valid.json", 64, False), epochs=50)
