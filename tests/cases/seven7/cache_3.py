"""ESC-50 / FSD50K sound events, BirdCLEF style."""
from dataclasses import dataclass, field
from pathlib import Path

import tensorflow as tf


@dataclass
class Audio:
    sr: int = 32000
    seconds: int = 5
    n_fft: int = 2048
    hop: int = 512
    mels: int = 128


@dataclass
class Run:
    root: Path = Path("/data/fsd50k/dev_wav")
    classes: int = 200
    batch: int = 64
    epochs: int = 100
    audio: Audio = field(default_factory=Audio)


class SoundEvents:
    def __init__(self, run: Run):
        self.run = run
        a = run.audio
        self.n = a.sr * a.seconds
        self.fb = tf.signal.linear_to_mel_weight_matrix(a.mels, a.n_fft // 2 + 1, a.sr, 50, 14000)

    def waveform(self, path, y):
        wav, _ = tf.audio.decode_wav(tf.io.read_file(path), 1, self.n)
        return tf.ensure_shape(wav[:, 0], [self.n]), y

    def log_mel(self, wav, y):
        a = self.run.audio
        stft = tf.signal.stft(wav, a.n_fft, a.hop, pad_end=True)
        mel = tf.tensordot(tf.math.square(tf.abs(stft)), self.fb, 1)
        db = 10.0 * tf.math.log(tf.maximum(mel, 1e-10)) / tf.math.log(10.0)
        db = tf.maximum(db, tf.reduce_max(db) - 80.0)
        return db[..., None], y

    def spec_augment(self, x, y):
        f = tf.random.uniform([], 0, 110, tf.int32)
        keep = tf.concat([tf.ones([f]), tf.zeros([16]), tf.ones([112 - f])], 0)
        return x * tf.ensure_shape(keep, [128])[None, :, None], y

    def dataset(self, paths, labels):
        par = tf.data.AUTOTUNE
        waves = tf.data.Dataset.from_tensor_slices((paths, labels)).map(
            self.waveform, num_parallel_calls=par)
        specs = waves.cache("/scratch/fsd50k_cache").map(
            self.log_mel, num_parallel_calls=par)
        return (specs
                .shuffle(2000)
                .map(self.spec_augment, num_parallel_calls=par)
                .batch(self.run.batch, drop_remainder=True)
                .prefetch(par))


def main():
    run = Run()
    files = sorted(run.root.glob("*/*.wav"))
    names = sorted({f.parent.name for f in files})
    labels = [names.index(f.parent.name) for f in files]
    ds = SoundEvents(run).dataset([str(f) for f in files], labels)

    inp = tf.keras.Input([None, 128, 1])
    x = inp
    for w in (32, 64, 128, 256):
        x = tf.keras.layers.Conv2D(w, 3, padding="same", activation="relu")(x)
        x = tf.keras.layers.MaxPool2D()(x)
    x = tf.keras.layers.GlobalMaxPool2D()(x)
    model = tf.keras.Model(inp, tf.keras.layers.Dense(run.classes, activation="softmax")(x))
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(ds, epochs=run.epochs)


if __name__ == "__main__":
    main()
