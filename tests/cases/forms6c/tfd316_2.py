import dataclasses
import os

import tensorflow as tf


@dataclasses.dataclass
class Settings:
    root: str = "/data/speech"
    work_dir: str = "/local/ssd"
    batch_size: int = 128


class SpeechDataModule:
    def __init__(self, settings: Settings):
        self.s = settings
        self.cache_path = os.path.join(settings.work_dir, "spectrograms.cache")

    def _spectrogram(self, serialized):
        parsed = tf.io.parse_single_example(serialized, {
            "audio": tf.io.FixedLenFeature([16000], tf.float32),
            "label": tf.io.FixedLenFeature([], tf.int64),
        })
        stft = tf.signal.stft(parsed["audio"], 400, 160)
        return tf.math.log(tf.abs(stft) + 1e-6), parsed["label"]

    def _base(self, split):
        files = tf.io.gfile.glob(f"{self.s.root}/{split}-*.tfrecord")
        ds = tf.data.TFRecordDataset(files, num_parallel_reads=tf.data.AUTOTUNE)
        ds = ds.map(self._spectrogram, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.cache(self.cache_path)

    def train_data(self):
        ds = self._base("train").shuffle(10_000)
        return ds.batch(self.s.batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)

    def val_data(self):
        return self._base("dev").batch(self.s.batch_size).prefetch(tf.data.AUTOTUNE)


def main():
    module = SpeechDataModule(Settings())
    model = tf.keras.Sequential([
        tf.keras.layers.LSTM(256),
        tf.keras.layers.Dense(35),
    ])
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(module.train_data(), validation_data=module.val_data(), epochs=30)


if __name__ == "__main__":
    main()
