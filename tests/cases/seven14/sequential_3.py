"""Keyword spotting data module."""
import dataclasses
from typing import Optional

import tensorflow as tf


@dataclasses.dataclass(frozen=True)
class AudioConfig:
    root: str = "/data/fsd50k/clips"
    sample_rate: int = 22050
    seconds: float = 5.0
    mels: int = 96
    batch_size: int = 64
    map_workers: Optional[int] = None
    prefetch: int = tf.data.AUTOTUNE


class AudioModule:
    def __init__(self, cfg: AudioConfig):
        self.cfg = cfg
        self.mel = tf.signal.linear_to_mel_weight_matrix(
            cfg.mels, 513, cfg.sample_rate, 40.0, cfg.sample_rate / 2)

    def _features(self, path, label):
        n = int(self.cfg.sample_rate * self.cfg.seconds)
        wav, _ = tf.audio.decode_wav(tf.io.read_file(path), desired_channels=1, desired_samples=n)
        spec = tf.abs(tf.signal.stft(wav[:, 0], 1024, 256))
        return tf.math.log(spec @ self.mel + 1e-5), label

    def dataset(self, paths, labels, training):
        cfg = self.cfg
        ds = tf.data.Dataset.from_tensor_slices((paths, labels))
        ds = ds.map(self._features, num_parallel_calls=cfg.map_workers)
        ds = ds.cache(f"/scratch/fsd-{'train' if training else 'dev'}")
        if training:
            ds = ds.shuffle(8000)
        return ds.batch(cfg.batch_size).prefetch(cfg.prefetch)


def read_index(csv):
    with open(csv) as f:
        rows = [r.rstrip().split(",") for r in f][1:]
    return [r[0] for r in rows], [int(r[1]) for r in rows]


def main():
    dm = AudioModule(AudioConfig())
    train = dm.dataset(*read_index("/data/fsd50k/dev.csv"), training=True)
    valid = dm.dataset(*read_index("/data/fsd50k/eval.csv"), training=False)
    net = tf.keras.Sequential([
        tf.keras.layers.Bidirectional(tf.keras.layers.GRU(128, return_sequences=True)),
        tf.keras.layers.GlobalAveragePooling1D(),
        tf.keras.layers.Dense(200)])
    net.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    net.fit(train, validation_data=valid, epochs=50)


if __name__ == "__main__":
    main()
