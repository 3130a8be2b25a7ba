from dataclasses import dataclass
from typing import Optional

import tensorflow as tf


@dataclass(frozen=True)
class AudioConfig:
    manifest: str = "/data/birds/train.txt"
    sample_rate: int = 32_000
    seconds: int = 5
    mels: int = 128
    batch_size: int = 48
    workers: Optional[int] = None


CFG = AudioConfig()
MEL = tf.signal.linear_to_mel_weight_matrix(CFG.mels, 1025, CFG.sample_rate, 50.0, 14_000.0)


def parse_line(line):
    path, label = tf.unstack(tf.strings.split(line, "\t"), num=2)
    return path, tf.strings.to_number(label, tf.int32)


def melspec(line):
    path, label = parse_line(line)
    audio, _ = tf.audio.decode_wav(tf.io.read_file(path), desired_channels=1,
                                   desired_samples=CFG.sample_rate * CFG.seconds)
    stft = tf.signal.stft(audio[:, 0], 2048, 512, fft_length=2048)
    mel = tf.tensordot(tf.square(tf.abs(stft)), MEL, 1)
    return tf.math.log(mel + 1e-6)[..., None], label


dataset = (
    tf.data.TextLineDataset(CFG.manifest)
    .shuffle(25_000)
    .map(melspec, num_parallel_calls=CFG.workers)
    .batch(CFG.batch_size, drop_remainder=True)
    .prefetch(tf.data.AUTOTUNE)
)

strategy = tf.distribute.MirroredStrategy()
with strategy.scope():
    model = tf.keras.Sequential([
        tf.keras.layers.Conv2D(48, 5, strides=2, activation="relu"),
        tf.keras.layers.Conv2D(96, 3, strides=2, activation="relu"),
        tf.keras.layers.Conv2D(192, 3, strides=2, activation="relu"),
        tf.keras.layers.GlobalAveragePooling2D(),
        tf.keras.layers.Dense(264),
    ])
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(dataset, epochs=60)
