import dataclasses
import typing

import tensorflow as tf


@dataclasses.dataclass
class Config:
    files: str = "/data/speech/*/*.wav"
    batch_size: int = 64
    workers: typing.Optional[int] = None


def features(path):
    wav, _ = tf.audio.decode_wav(tf.io.read_file(path), desired_channels=1, desired_samples=16000)
    stft = tf.signal.stft(wav[:, 0], frame_length=400, frame_step=160)
    return tf.abs(stft), tf.cast(tf.strings.split(path, "/")[-2] == "yes", tf.float32)


def build(config):
    ds = tf.data.Dataset.list_files(config.files)
    ds = ds.map(features, num_parallel_calls=config.workers)
    return ds.batch(config.batch_size).prefetch(tf.data.AUTOTUNE)


model = tf.keras.Sequential([tf.keras.layers.GRU(32), tf.keras.layers.Dense(1, "sigmoid")])
model.compile("adam", "binary_crossentropy")
model.fit(build(Config()), epochs=15)
