import csv

import librosa
import numpy as np
import tensorflow as tf

SAMPLE_RATE = 32000
DURATION = 5
MELS = 128
FRAMES = 313


def melspec(path):
    y, _ = librosa.load(path.numpy().decode(), sr=SAMPLE_RATE, duration=DURATION)
    y = librosa.util.fix_length(y, size=SAMPLE_RATE * DURATION)
    m = librosa.feature.melspectrogram(y=y, sr=SAMPLE_RATE, n_mels=MELS, fmin=20, fmax=16000)
    return librosa.power_to_db(m, ref=np.max).astype(np.float32)


def fix(spec, label):
    spec = tf.ensure_shape(spec, (MELS, FRAMES))
    return tf.stack([spec / 80.0 + 1.0] * 3, axis=-1), label


def birdclef(rows, batch_size, training):
    paths = ["/kaggle/input/birdclef/train_audio/" + r["filename"] for r in rows]
    labels = [int(r["label_id"]) for r in rows]
    ds = tf.data.Dataset.from_tensor_slices((paths, labels))
    if training:
        ds = ds.shuffle(len(paths))
    ds = ds.map(lambda p, y: (tf.py_function(melspec, [p], tf.float32), y),
                num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.map(fix, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


with open("train_metadata.csv", newline="") as f:
    rows = list(csv.DictReader(f))
train_rows = [r for r in rows if r["fold"] != "0"]
valid_rows = [r for r in rows if r["fold"] == "0"]
n_classes = len({r["label_id"] for r in rows})

backbone = tf.keras.applications.EfficientNetB0(
    include_top=False, input_shape=(MELS, FRAMES, 3), pooling="avg", weights="imagenet")
model = tf.keras.Sequential([backbone, tf.keras.layers.Dropout(0.4),
                             tf.keras.layers.Dense(n_classes, activation="softmax")])
model.compile(tf.keras.optimizers.Adam(5e-4), "sparse_categorical_crossentropy", ["accuracy"])
model.fit(birdclef(train_rows, 32, True),
          validation_data=birdclef(valid_rows, 64, False),
          epochs=25)
model.save_weights("birdclef.weights.h5")
