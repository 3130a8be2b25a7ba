from abc import ABC, abstractmethod

import jax
import librosa
import numpy as np
import tensorflow as tf


class Source(ABC):
    @abstractmethod
    def open(self):
        ...

    def batches(self, n):
        ds = self.open().shuffle(4096).repeat()
        return ds.batch(n, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


class LibrosaSource(Source):
    def __init__(self, files):
        self.files = files

    def open(self):
        def clips():
            for name in self.files:
                wave, _ = librosa.load(name, sr=22050, duration=5.0)
                wave = np.pad(wave, (0, max(0, 110250 - len(wave))))[:110250]
                yield librosa.feature.melspectrogram(y=wave, n_mels=128).T

        return tf.data.Dataset.from_generator(
            clips, tf.float32, tf.TensorShape([216, 128]))


SOURCES = {"librosa": LibrosaSource}


def main():
    files = sorted(tf.io.gfile.glob("/data/fsd50k/dev/*.wav"))
    source = SOURCES["librosa"](files)
    weights = jax.numpy.ones((128, 32)) * 0.01

    @jax.jit
    def update(w, x):
        def loss(w):
            return jax.numpy.mean((x @ w @ w.T - x) ** 2)
        return w - 1e-3 * jax.grad(loss)(w)

    batches = source.batches(128).take(30000).as_numpy_iterator()
    for step, batch in enumerate(batches):
        with jax.profiler.StepTraceAnnotation("train", step_num=step):
            weights = update(weights, batch)


if __name__ == "__main__":
    main()
