"""Mixing in background sounds, more of them as training goes on."""
import glob
import os
from typing import NamedTuple

import tensorflow as tf

SAMPLE_RATE = 16000
CLASSES = sorted(os.listdir("data/commands/train"))


class Mixing(NamedTuple):
    level: tf.Variable
    floor: float


mixing = Mixing(level=tf.Variable(0.0, trainable=False), floor=0.001)


def read_wav(path):
    audio, _ = tf.audio.decode_wav(tf.io.read_file(path), desired_channels=1, desired_samples=SAMPLE_RATE)
    return tf.squeeze(audio, axis=-1)


def load(path, background):
    label = tf.argmax(tf.cast(tf.equal(tf.strings.split(path, os.sep)[-2], CLASSES), tf.int32))
    level = tf.maximum(mixing.level, mixing.floor)
    waveform = (1.0 - level) * read_wav(path) + level * read_wav(background)
    spectrogram = tf.abs(tf.signal.stft(waveform, frame_length=255, frame_step=128))
    return spectrogram[..., tf.newaxis], label


words = tf.data.Dataset.from_tensor_slices(glob.glob("data/commands/train/*/*.wav")).shuffle(20000)
backgrounds = tf.data.Dataset.from_tensor_slices(sorted(glob.glob("data/commands/background/*.wav"))).repeat()
dataset = tf.data.Dataset.zip((words, backgrounds))
dataset = dataset.map(load, num_parallel_calls=tf.data.AUTOTUNE)
dataset = dataset.batch(64)

model = tf.keras.Sequential(
    [
        tf.keras.layers.Conv2D(32, 3, activation="relu", input_shape=(124, 129, 1)),
        tf.keras.layers.MaxPooling2D(),
        tf.keras.layers.Conv2D(64, 3, activation="relu"),
        tf.keras.layers.GlobalAveragePooling2D(),
        tf.keras.layers.Dense(len(CLASSES)),
    ]
)
optimizer = tf.keras.optimizers.Adam()
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
running = tf.keras.metrics.Mean()


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    running.update_state(loss)


for epoch in range(20):
    for x, y in dataset:
        train_step(x, y)
        if running.result() < 0.5:
            mixing.level.assign_add(0.0005)
    print(epoch, running.result().numpy(), mixing.level.numpy())
    running.reset_states()
