import os
import pathlib

import matplotlib.pyplot as plt
import numpy as np
import tensorflow as tf

DATASET = pathlib.Path("data/birdsong")
SECONDS = 4
RATE = 22050

commands = np.array(sorted(os.listdir(DATASET / "train")))


def get_waveform(file_path):
    audio, _ = tf.audio.decode_wav(tf.io.read_file(file_path), desired_channels=1)
    waveform = tf.squeeze(audio, axis=-1)[: SECONDS * RATE]
    padding = tf.zeros([SECONDS * RATE] - tf.shape(waveform), dtype=tf.float32)
    return tf.concat([waveform, padding], 0)


def get_spectrogram_and_label(file_path):
    spectrogram = tf.abs(tf.signal.stft(get_waveform(file_path), frame_length=1024, frame_step=512))
    mel = tf.signal.linear_to_mel_weight_matrix(80, 513, RATE, 50.0, 10000.0)
    log_mel = tf.math.log(tf.matmul(spectrogram, mel) + 1e-6)
    label = tf.strings.split(file_path, os.path.sep)[-2]
    return tf.expand_dims(log_mel, -1), tf.argmax(label == commands)


def preprocess_dataset(files, training=False):
    files_ds = tf.data.Dataset.from_tensor_slices(files)
    if training:
        files_ds = files_ds.shuffle(len(files), reshuffle_each_iteration=True)
    output_ds = files_ds.map(get_spectrogram_and_label)
    return output_ds.batch(64)


train_files = [str(f) for f in DATASET.glob("train/*/*.wav")]
test_files = [str(f) for f in DATASET.glob("test/*/*.wav")]
train_ds = preprocess_dataset(train_files, training=True)
test_ds = preprocess_dataset(test_files)

model = tf.keras.Sequential(
    [
        tf.keras.layers.Input((171, 80, 1)),
        tf.keras.layers.Conv2D(32, 3, activation="relu"),
        tf.keras.layers.MaxPooling2D(2),
        tf.keras.layers.Conv2D(64, 3, activation="relu"),
        tf.keras.layers.GlobalAveragePooling2D(),
        tf.keras.layers.Dense(len(commands)),
    ]
)
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
history = model.fit(train_ds, validation_data=test_ds, epochs=30, callbacks=tf.keras.callbacks.EarlyStopping(patience=4))

y_pred = np.argmax(model.predict(test_ds), axis=1)
y_true = np.concatenate([labels.numpy() for _, labels in test_ds])
print("accuracy:", np.mean(y_pred == y_true))
plt.imshow(tf.math.confusion_matrix(y_true, y_pred))
plt.xticks(range(len(commands)), commands, rotation=90)
plt.savefig("confusion.png")
