import argparse
import csv

import librosa
import numpy as np
import tensorflow as tf

SR = 22_050
N_MELS = 128
FRAMES = 216


def _mel(path):
    wav, _ = librosa.load(path.numpy().decode(), sr=SR, duration=5.0)
    wav = librosa.util.fix_length(wav, size=SR * 5)
    mel = librosa.feature.melspectrogram(y=wav, sr=SR, n_mels=N_MELS)
    return librosa.power_to_db(mel, ref=np.max).astype(np.float32)


def load_example(path, label):
    mel = tf.py_function(_mel, [path], tf.float32)
    mel = tf.ensure_shape(mel, [N_MELS, FRAMES])
    return mel[..., tf.newaxis] / 80.0 + 1.0, label


def read_meta(path, folds):
    files, targets = [], []
    with open(path) as f:
        for row in csv.DictReader(f):
            if int(row["fold"]) in folds:
                files.append(f"/data/birdclips/{row['filename']}")
                targets.append(int(row["target"]))
    return files, targets


def build_dataset(meta, folds, batch, train):
    files, targets = read_meta(meta, folds)
    ds = tf.data.Dataset.from_tensor_slices((files, targets))
    if train:
        ds = ds.shuffle(len(files))
    ds = ds.map(load_example, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch).prefetch(tf.data.AUTOTUNE)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--meta", default="/data/birdclips/meta.csv")
    ap.add_argument("--batch", type=int, default=64)
    ap.add_argument("--classes", type=int, default=264)
    args = ap.parse_args()
    train = build_dataset(args.meta, {1, 2, 3, 4}, args.batch, True)
    valid = build_dataset(args.meta, {5}, args.batch, False)
    model = tf.keras.Sequential([
        tf.keras.layers.Conv2D(32, 5, strides=2, activation="relu"),
        tf.keras.layers.Conv2D(64, 3, strides=2, activation="relu"),
        tf.keras.layers.GlobalMaxPooling2D(),
        tf.keras.layers.Dense(args.classes),
    ])
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(train, validation_data=valid, epochs=30)


if __name__ == "__main__":
    main()
