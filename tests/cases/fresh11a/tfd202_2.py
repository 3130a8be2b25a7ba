import argparse

import librosa
import numpy as np
import tensorflow as tf


class AudioFrontend:
    def __init__(self, rate=16000, n_mels=80):
        self.rate = rate
        self.n_mels = n_mels

    def features(self, path):
        wave, _ = librosa.load(path.numpy().decode(), sr=self.rate)
        mel = librosa.feature.melspectrogram(y=wave, sr=self.rate, n_mels=self.n_mels)
        return np.log(mel.T + 1e-6).astype(np.float32)

    def __call__(self, path, label):
        mel = tf.py_function(func=self.features, inp=[path], Tout=tf.float32)
        mel.set_shape([None, self.n_mels])
        return mel, label


class GenreData:
    def __init__(self, frontend, batch_size):
        self.frontend = frontend
        self.batch_size = batch_size

    def from_index(self, index, training):
        rows = [line.split("\t") for line in open(index).read().splitlines()]
        paths = [r[0] for r in rows]
        labels = [int(r[1]) for r in rows]
        ds = tf.data.Dataset.from_tensor_slices((paths, labels))
        if training:
            ds = ds.shuffle(len(paths))
        return (ds.map(self.frontend, num_parallel_calls=tf.data.AUTOTUNE)
                .padded_batch(self.batch_size)
                .prefetch(tf.data.AUTOTUNE))


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--train", default="train.tsv")
    p.add_argument("--valid", default="valid.tsv")
    args = p.parse_args()
    data = GenreData(AudioFrontend(), 32)
    model = tf.keras.Sequential([
        tf.keras.layers.Conv1D(128, 5, activation="relu"),
        tf.keras.layers.GlobalAveragePooling1D(),
        tf.keras.layers.Dense(16, activation="softmax"),
    ])
    model.compile("adam", "sparse_categorical_crossentropy")
    model.fit(data.from_index(args.train, True),
              validation_data=data.from_index(args.valid, False), epochs=30)


if __name__ == "__main__":
    main()
