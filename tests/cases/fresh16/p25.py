"""Runs the keyword spotter over the night's recordings and writes the hits."""
import collections
import csv
import pathlib

import tensorflow as tf

WORDS = ["none", "alarm", "help", "fire", "stop"]
RATE = 16000


class Spotter:
    def __init__(self, weights):
        self.model = tf.keras.models.load_model(weights)

    def spectrum(self, wav):
        s = tf.abs(tf.signal.stft(wav, 480, 160))
        return tf.math.log(s + 1e-6)[..., tf.newaxis]

    def verdict(self, spectrum):
        p = self.model(tf.expand_dims(spectrum, 0), training=False)[0]
        best = int(tf.argmax(p))
        return WORDS[best], float(p[best])


def clip(path):
    wav, _ = tf.audio.decode_wav(tf.io.read_file(path), 1, RATE)
    return path, tf.squeeze(wav, -1)


class NightShift:
    def __init__(self, folder, spotter):
        self.spotter = spotter
        self.clips = (
            tf.data.Dataset.list_files(str(folder / "*.wav"), shuffle=False)
            .map(clip, num_parallel_calls=tf.data.AUTOTUNE)
            .map(lambda p, w: (p, spotter.spectrum(w)), num_parallel_calls=tf.data.AUTOTUNE)
            .prefetch(tf.data.AUTOTUNE))

    def hits(self, floor=0.8):
        for path, spectrum in self.clips:
            word, score = self.spotter.verdict(spectrum)
            if word != "none" and score >= floor:
                yield path.numpy().decode(), word, score


def main(folder="night", out="hits.csv"):
    shift = NightShift(pathlib.Path(folder), Spotter("kws.keras"))
    tally = collections.Counter()
    with open(out, "w", newline="") as fh:
        writer = csv.writer(fh)
        for row in shift.hits():
            writer.writerow(row)
            tally[row[1]] += 1
    print(tally.most_common())


if __name__ == "__main__":
    main()
