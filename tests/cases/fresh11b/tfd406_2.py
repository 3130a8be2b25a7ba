import glob
import random

import tensorflow as tf
from tensorflow import data as tfd


def load_wav(path, label):
    audio, _ = tf.audio.decode_wav(tf.io.read_file(path), desired_channels=1, desired_samples=16000)
    return tf.squeeze(audio, -1), label


def spectrogram(audio, label):
    return tf.abs(tf.signal.stft(audio, 400, 160)), label


def build(paths, labels, batch=64, training=True):
    ds = tfd.Dataset.from_tensor_slices((paths, labels))
    if training:
        ds = ds.shuffle(len(paths))
    ds = ds.map(load_wav, num_parallel_calls=tfd.AUTOTUNE)
    ds = ds.map(spectrogram, num_parallel_calls=tfd.AUTOTUNE)
    return ds.batch(batch).prefetch(tfd.AUTOTUNE)


def describe(loaders):
    for name, loader in loaders.items():
        print(f"{name}: {sum(1 for _ in loader)} batches")


def main():
    files = sorted(glob.glob("/data/commands/*/*.wav"))
    random.Random(3).shuffle(files)
    words = sorted({f.split("/")[-2] for f in files})
    labels = [words.index(f.split("/")[-2]) for f in files]
    loaders = {
        "train": build(files[:-8000], labels[:-8000]),
        "valid": build(files[-8000:], labels[-8000:], training=False),
    }
    describe(loaders)
    model = tf.keras.Sequential([
        tf.keras.Input((98, 257)), tf.keras.layers.Conv1D(128, 5, activation="relu"),
        tf.keras.layers.GlobalAveragePooling1D(), tf.keras.layers.Dense(len(words))])
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(loaders["train"], validation_data=loaders["valid"], epochs=15)


if __name__ == "__main__":
    main()
