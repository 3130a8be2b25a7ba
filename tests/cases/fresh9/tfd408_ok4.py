"""Bird song classifier; the order is drawn in NumPy so that runs can be repeated."""
import numpy as np
import pandas as pd
import tensorflow as tf

RATE, SECONDS = 32_000, 5


class Songs:
    def __init__(self, csv="/data/birdclef/train.csv", seed=11):
        frame = pd.read_csv(csv)
        self.paths = frame["filename"].to_numpy()
        self.labels = frame["primary_label"].astype("category").cat.codes.to_numpy()
        self.rng = np.random.default_rng(seed)

    @property
    def num_classes(self):
        return int(self.labels.max()) + 1

    def _read(self, path, label):
        audio, _ = tf.audio.decode_wav(tf.io.read_file(path), 1, RATE * SECONDS)
        return tf.squeeze(audio, -1), label

    def epoch(self, batch_size=64):
        order = self.rng.permutation(len(self.paths))
        ds = tf.data.Dataset.from_tensor_slices((self.paths[order], self.labels[order]))
        ds = ds.map(self._read, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


def network(classes):
    return tf.keras.Sequential([
        tf.keras.Input((RATE * SECONDS,)),
        tf.keras.layers.Reshape((-1, 1)),
        tf.keras.layers.Conv1D(64, 80, 16, activation="relu"),
        tf.keras.layers.MaxPooling1D(4),
        tf.keras.layers.Conv1D(128, 9, 4, activation="relu"),
        tf.keras.layers.GlobalMaxPooling1D(),
        tf.keras.layers.Dense(classes, activation="softmax"),
    ])


def main():
    songs = Songs()
    model = network(songs.num_classes)
    model.compile("adam", "sparse_categorical_crossentropy", ["accuracy"])
    for epoch in range(30):
        model.fit(songs.epoch(), initial_epoch=epoch, epochs=epoch + 1)


if __name__ == "__main__":
    main()
