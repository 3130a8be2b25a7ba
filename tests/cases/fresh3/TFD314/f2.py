import librosa
import numpy as np
import pandas as pd
import tensorflow as tf

KEEP = {
    "all": None,
    "adults": lambda row, mel: tf.cast(row["age"], tf.float32) >= 18.0,
    "short": lambda row, mel: tf.cast(row["seconds"], tf.float32) < 4.0,
}


def melspec(path):
    wave, rate = librosa.load(path.decode(), sr=16000)
    mel = librosa.feature.melspectrogram(y=librosa.util.fix_length(wave, size=64000), sr=rate, n_mels=64)
    return mel.astype(np.float32)


def with_mel(row):
    mel = tf.numpy_function(melspec, [row["path"]], tf.float32)
    return row, tf.ensure_shape(mel, (64, None))


def dataset(csv, which, batch):
    table = dict(pd.read_csv(csv)[["path", "age", "seconds", "emotion"]])
    ds = tf.data.Dataset.from_tensor_slices({k: v.to_numpy() for k, v in table.items()})
    ds = ds.shuffle(len(table["path"]))
    ds = ds.map(with_mel, num_parallel_calls=tf.data.AUTOTUNE)
    if KEEP[which] is not None:
        ds = ds.filter(KEEP[which])
    ds = ds.map(lambda row, mel: (tf.transpose(mel), row["emotion"]), num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch).prefetch(tf.data.AUTOTUNE)


model = tf.keras.Sequential([tf.keras.layers.GRU(32), tf.keras.layers.Dense(6, activation="softmax")])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(dataset("emotions.csv", "adults", 32), epochs=4)
