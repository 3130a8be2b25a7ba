"""Bird call detection on mel spectrograms."""
import argparse
import os

import tensorflow as tf

RATE = 32_000
SECONDS = 5


def decode(path, label):
    wave, _ = tf.audio.decode_wav(tf.io.read_file(path), desired_channels=1, desired_samples=RATE * SECONDS)
    stft = tf.abs(tf.signal.stft(wave[:, 0], 1024, 512))
    mel = tf.matmul(stft, tf.signal.linear_to_mel_weight_matrix(64, 513, RATE, 50.0, 15_000.0))
    return tf.ensure_shape(tf.math.log(mel + 1e-5), [311, 64])[..., None], label


def prepare(paths, labels, settings, training):
    ds = tf.data.Dataset.from_tensor_slices((paths, labels))
    ds = ds.map(decode, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.cache(settings.cache_file)
    if training:
        ds = ds.shuffle(1000)
    return ds.batch(settings.batch_size).prefetch(tf.data.AUTOTUNE)


def listing(root, split):
    species = sorted(os.listdir(os.path.join(root, "train")))
    paths, labels = [], []
    for i, name in enumerate(species):
        folder = os.path.join(root, split, name)
        for f in sorted(os.listdir(folder)):
            paths.append(os.path.join(folder, f))
            labels.append(i)
    return paths, labels, len(species)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--root", default="/data/birdcalls")
    ap.add_argument("--cache-file", default="/scratch/birdcalls.cache")
    ap.add_argument("--batch-size", type=int, default=64)
    ap.add_argument("--epochs", type=int, default=25)
    settings = ap.parse_args()

    paths, labels, n = listing(settings.root, "train")
    train = prepare(paths, labels, settings, training=True)
    paths, labels, _ = listing(settings.root, "valid")
    valid = prepare(paths, labels, settings, training=False)

    model = tf.keras.Sequential([
        tf.keras.Input((311, 64, 1)),
        tf.keras.layers.Conv2D(32, 3, activation="relu"),
        tf.keras.layers.MaxPool2D(),
        tf.keras.layers.Conv2D(64, 3, activation="relu"),
        tf.keras.layers.GlobalAveragePooling2D(),
        tf.keras.layers.Dense(n, activation="softmax"),
    ])
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(train, validation_data=valid, epochs=settings.epochs)


if __name__ == "__main__":
    main()
