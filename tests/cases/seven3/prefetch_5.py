"""Keyword spotting on a folder of wav clips."""
import functools
import glob
import os

import tensorflow as tf

ROOT = os.environ.get("CLIPS", "/data/keywords")
WORDS = sorted(os.path.basename(p) for p in glob.glob(os.path.join(ROOT, "*")))
SAMPLES = 16000


def read_clip(path, label):
    audio, _ = tf.audio.decode_wav(tf.io.read_file(path), desired_channels=1, desired_samples=SAMPLES)
    return tf.squeeze(audio, -1), label


def log_spectrogram(audio, label):
    spec = tf.abs(tf.signal.stft(audio, frame_length=480, frame_step=160, fft_length=512))
    return tf.math.log(spec + 1e-6)[..., tf.newaxis], label


def compose(ds, *steps):
    return functools.reduce(lambda d, step: step(d), steps, ds)


paths, labels = [], []
for i, word in enumerate(WORDS):
    found = tf.io.gfile.glob(os.path.join(ROOT, word, "*.wav"))
    paths += found
    labels += [i] * len(found)

train = compose(
    tf.data.Dataset.from_tensor_slices((paths, labels)),
    lambda d: d.shuffle(len(paths)),
    lambda d: d.map(read_clip, num_parallel_calls=tf.data.AUTOTUNE),
    lambda d: d.prefetch(tf.data.AUTOTUNE),
    lambda d: d.batch(64),
    lambda d: d.map(log_spectrogram, num_parallel_calls=tf.data.AUTOTUNE),
)

model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.MaxPooling2D(),
    tf.keras.layers.Conv2D(64, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(len(WORDS)),
])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
model.fit(train, epochs=40)
