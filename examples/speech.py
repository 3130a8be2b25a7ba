"""Speech commands for several workers: a class that builds its pipeline from options and attributes."""

from dataclasses import dataclass

import tensorflow as tf


@dataclass
class Config:
    pattern: str = "speech/*/*.wav"
    batch_size: int = 32
    num_workers: int = 1
    worker: int = 0
    samples: int = 16_000


class SpeechCommands:
    def __init__(self, config, training):
        self.config = config
        self.training = training

    @property
    def options(self):
        options = tf.data.Options()
        options.deterministic = not self.training
        options.experimental_optimization.map_parallelization = True
        return options

    def files(self):
        files = tf.data.Dataset.list_files(self.config.pattern)
        return files.shard(self.config.num_workers, self.config.worker)

    def load(self, path):
        audio, _ = tf.audio.decode_wav(tf.io.read_file(path), 1, self.config.samples)
        spectrogram = tf.abs(tf.signal.stft(tf.squeeze(audio, -1), 255, 128))
        label = tf.strings.split(path, "/")[-2]
        print("loaded", path)
        return spectrogram[..., tf.newaxis], label

    def add_noise(self, spectrogram, label):
        return spectrogram + tf.random.normal(tf.shape(spectrogram), stddev=0.01, seed=7), label

    def build(self):
        dataset = self.files().map(self.load, num_parallel_calls=tf.data.AUTOTUNE)
        if self.training:
            dataset = dataset.shuffle(5_000)
            dataset = dataset.map(self.add_noise, num_parallel_calls=tf.data.AUTOTUNE)
        dataset = dataset.batch(self.config.batch_size)
        dataset.with_options(self.options)
        return dataset.prefetch(self.config.batch_size)


def train(model, steps=1_000):
    dataset = SpeechCommands(Config(), training=True).build()
    for _ in range(steps):
        spectrograms, labels = next(iter(dataset))
        model.train_on_batch(spectrograms, labels)
