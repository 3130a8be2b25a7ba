# %% Speech commands: mel-spectrogram CNN
import os

import tensorflow as tf

ROOT = "/data/speech_commands_v2"
WORDS = ["yes", "no", "up", "down", "left", "right", "on", "off", "stop", "go"]

# %% helpers
def log_mel(path, label):
    audio, _ = tf.audio.decode_wav(tf.io.read_file(path), desired_channels=1, desired_samples=16_000)
    stft = tf.signal.stft(tf.squeeze(audio, -1), frame_length=640, frame_step=320, fft_length=1024)
    mel = tf.signal.linear_to_mel_weight_matrix(64, 513, 16_000, 80.0, 7_600.0)
    feats = tf.math.log(tf.tensordot(tf.abs(stft), mel, 1) + 1e-6)
    return feats[..., tf.newaxis], label


def split_files(fold):
    marks = {}
    for name in ("validation", "testing"):
        with open(os.path.join(ROOT, f"{name}_list.txt")) as f:
            marks.update({l.strip(): name for l in f})
    for i, w in enumerate(WORDS):
        for f in os.listdir(os.path.join(ROOT, w)):
            if marks.get(f"{w}/{f}", "training") == fold:
                yield os.path.join(ROOT, w, f), i


def as_dataset(fold, batch=256):
    files, labels = zip(*split_files(fold))
    ds = tf.data.Dataset.from_tensor_slices((list(files), list(labels)))
    if fold == "training":
        ds = ds.shuffle(len(files), reshuffle_each_iteration=True)
    ds = ds.map(log_mel, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch).prefetch(tf.data.AUTOTUNE)

# %% training
train, val = as_dataset("training"), as_dataset("validation")
net = tf.keras.Sequential([
    tf.keras.Input([49, 64, 1]),
    tf.keras.layers.BatchNormalization(),
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.Conv2D(64, 3, activation="relu"),
    tf.keras.layers.MaxPooling2D(),
    tf.keras.layers.Flatten(),
    tf.keras.layers.Dropout(0.4),
    tf.keras.layers.Dense(len(WORDS), activation="softmax"),
])
net.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
net.fit(train, validation_data=val, epochs=80,
        callbacks=[tf.keras.callbacks.EarlyStopping(patience=12, restore_best_weights=True)])
