"""Bird call snippets from long field recordings."""
import argparse
import pathlib

import tensorflow as tf

RATE = 32000
SECONDS = 60


def spectrum(wav_bytes):
    wave, _ = tf.audio.decode_wav(wav_bytes, desired_channels=1, desired_samples=RATE * SECONDS)
    spec = tf.signal.stft(wave[:, 0], 1024, 320)
    return tf.math.log1p(tf.abs(spec))


class Snippets:
    def __init__(self, folder, per_file, frames):
        self.files = sorted(str(p) for p in pathlib.Path(folder).rglob("*.wav"))
        self.species = sorted({pathlib.Path(f).parent.name for f in self.files})
        self.per_file, self.frames = per_file, frames

    def one(self, path, label):
        def draw(k):
            spec = spectrum(tf.io.read_file(path))
            start = k * (tf.shape(spec)[0] - self.frames) // self.per_file
            return tf.ensure_shape(spec[start:start + self.frames], (self.frames, 513)), label

        return tf.data.Dataset.range(self.per_file).map(lambda k: draw(tf.cast(k, tf.int32)))

    def dataset(self, batch):
        labels = [self.species.index(pathlib.Path(f).parent.name) for f in self.files]
        ds = tf.data.Dataset.from_tensor_slices((self.files, labels)).shuffle(len(self.files))
        ds = ds.interleave(self.one, cycle_length=8, num_parallel_calls=8, deterministic=False)
        return ds.shuffle(2048).batch(batch).prefetch(tf.data.AUTOTUNE)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--folder", default="/data/birdcalls")
    p.add_argument("--per-file", type=int, default=12)
    p.add_argument("--frames", type=int, default=400)
    a = p.parse_args()
    snippets = Snippets(a.folder, a.per_file, a.frames)
    model = tf.keras.Sequential([
        tf.keras.Input((a.frames, 513)),
        tf.keras.layers.Conv1D(128, 7, strides=2, activation="relu"),
        tf.keras.layers.Conv1D(128, 7, strides=2, activation="relu"),
        tf.keras.layers.GlobalMaxPooling1D(),
        tf.keras.layers.Dense(len(snippets.species)),
    ])
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(snippets.dataset(64), epochs=20)


if __name__ == "__main__":
    main()
