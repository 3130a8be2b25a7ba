"""AudioSet tagging; librosa features wrapped for tf.data by a decorator."""
import functools

import librosa
import numpy as np
import pandas as pd
import tensorflow as tf

SR, N_MELS, FRAMES = 32000, 64, 1001


def tf_wrap(tout, shape):
    """Makes a numpy function callable from a Dataset.map."""
    def deco(fn):
        @functools.wraps(fn)
        def wrapper(*args):
            out = tf.numpy_function(fn, args, tout)
            out.set_shape(shape)
            return out
        return wrapper
    return deco


@tf_wrap(tf.float32, (FRAMES, N_MELS))
def melspec(path):
    y, _ = librosa.load(path.decode(), sr=SR, mono=True, duration=10.0)
    y = np.pad(y, (0, max(0, SR * 10 - len(y))))[:SR * 10]
    m = librosa.feature.melspectrogram(y=y, sr=SR, n_fft=1024, hop_length=320,
                                       n_mels=N_MELS)
    return librosa.power_to_db(m).T[:FRAMES].astype(np.float32)


def make_labels(df, classes):
    y = np.zeros((len(df), len(classes)), np.float32)
    lut = {c: i for i, c in enumerate(classes)}
    for row, tags in enumerate(df['tags'].str.split(',')):
        for t in tags:
            y[row, lut[t]] = 1.0
    return y


def train_data(csv, classes, batch):
    df = pd.read_csv(csv)
    ds = tf.data.Dataset.from_tensor_slices(
        (df['path'].values, make_labels(df, classes)))
    ds = ds.shuffle(len(df))
    ds = ds.map(lambda p, y: (melspec(p), y),
                num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch).prefetch(tf.data.AUTOTUNE)


def cnn10(n):
    x = inp = tf.keras.Input((FRAMES, N_MELS))
    x = tf.keras.layers.Reshape((FRAMES, N_MELS, 1))(x)
    for f in (64, 128, 256, 512):
        x = tf.keras.layers.Conv2D(f, 3, padding='same', use_bias=False)(x)
        x = tf.keras.layers.BatchNormalization()(x)
        x = tf.keras.layers.ReLU()(x)
        x = tf.keras.layers.AveragePooling2D()(x)
    x = tf.keras.layers.GlobalMaxPooling2D()(x)
    return tf.keras.Model(inp, tf.keras.layers.Dense(n, activation='sigmoid')(x))


if __name__ == '__main__':
    with open('/data/audioset/classes.txt') as fh:
        CLASSES = fh.read().split()
    model = cnn10(len(CLASSES))
    model.compile('adam', 'binary_crossentropy',
                  metrics=[tf.keras.metrics.AUC(curve='PR', multi_label=True)])
    model.fit(train_data('/data/audioset/unbalanced.csv', CLASSES, 64),
              epochs=10)
