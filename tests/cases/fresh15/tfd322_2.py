"""Bird call detector."""
import csv
import pathlib
from dataclasses import dataclass

import tensorflow as tf


@dataclass(frozen=True)
class Recording:
    path: pathlib.Path
    call: int


class BirdCalls:
    def __init__(self, root, rate=22_050, seconds=4):
        self.root = pathlib.Path(root)
        self.samples = rate * seconds
        self.weights = tf.signal.linear_to_mel_weight_matrix(96, 513, rate, 100.0, 10_000.0)

    def recordings(self, split):
        with open(self.root / f"{split}.csv", newline="") as handle:
            for row in csv.DictReader(handle):
                yield Recording(self.root / "wav" / row["file"], int(row["call"]))

    def features(self, recording):
        content = tf.io.read_file(str(recording.path))
        wave, _ = tf.audio.decode_wav(content, 1, self.samples)
        spec = tf.abs(tf.signal.stft(wave[:, 0], 1024, 512))
        return tf.math.log1p(tf.matmul(spec, self.weights))

    def load(self, split):
        todo = list(self.recordings(split))
        mels = [self.features(r) for r in todo]
        calls = [r.call for r in todo]
        ds = tf.data.Dataset.from_tensor_slices((tf.stack(mels), tf.constant(calls)))
        if split == "train":
            ds = ds.shuffle(len(todo))
        return ds.batch(64).prefetch(tf.data.AUTOTUNE)


def crnn(classes):
    layers = tf.keras.layers
    return tf.keras.Sequential(
        [
            layers.Conv1D(128, 5, activation="relu"),
            layers.MaxPooling1D(2),
            layers.Bidirectional(layers.GRU(64)),
            layers.Dense(classes, activation="softmax"),
        ]
    )


def main():
    data = BirdCalls("/data/birdclef")
    model = crnn(classes=264)
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(data.load("train"), validation_data=data.load("valid"), epochs=30)


if __name__ == "__main__":
    main()
