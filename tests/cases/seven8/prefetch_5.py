"""Keyword spotting on full Speech Commands v2 plus noise (WAV files)."""
import dataclasses
import os
import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE


@dataclasses.dataclass
class AudioConfig:
    root: str = "/data/speech_commands_v2"
    sample_rate: int = 16000
    frame_length: int = 640
    frame_step: int = 320
    mel_bins: int = 64
    batch_size: int = 512
    epochs: int = 60


class SpeechCommands:
    def __init__(self, cfg: AudioConfig):
        self.cfg = cfg
        self.labels = sorted(
            d for d in os.listdir(cfg.root) if os.path.isdir(os.path.join(cfg.root, d)))
        self.table = tf.lookup.StaticHashTable(
            tf.lookup.KeyValueTensorInitializer(
                self.labels, tf.range(len(self.labels), dtype=tf.int64)), -1)

    def _load(self, path):
        wav, _ = tf.audio.decode_wav(
            tf.io.read_file(path), desired_channels=1,
            desired_samples=self.cfg.sample_rate)
        label = self.table.lookup(tf.strings.split(path, os.sep)[-2])
        return tf.squeeze(wav, -1), label

    def _log_mel(self, wav, label):
        spec = tf.abs(tf.signal.stft(wav, self.cfg.frame_length, self.cfg.frame_step))
        mel = tf.signal.linear_to_mel_weight_matrix(
            self.cfg.mel_bins, spec.shape[-1], self.cfg.sample_rate, 20.0, 7600.0)
        return tf.math.log(tf.matmul(spec, mel) + 1e-6)[..., tf.newaxis], label

    def split(self, name):
        files = tf.io.gfile.glob(os.path.join(self.cfg.root, "*", f"{name}_*.wav"))
        ds = tf.data.Dataset.from_tensor_slices(files)
        if name == "train":
            ds = ds.shuffle(len(files), reshuffle_each_iteration=True)
        ds = ds.map(self._load, num_parallel_calls=AUTOTUNE)
        ds = ds.map(self._log_mel, num_parallel_calls=AUTOTUNE)
        ds = ds.batch(self.cfg.batch_size)
        ds.prefetch(AUTOTUNE)
        return ds


def build_model(num_classes):
    return tf.keras.Sequential([
        tf.keras.layers.Conv2D(64, 3, activation="relu", input_shape=(49, 64, 1)),
        tf.keras.layers.MaxPool2D(),
        tf.keras.layers.Conv2D(128, 3, activation="relu"),
        tf.keras.layers.GlobalAveragePooling2D(),
        tf.keras.layers.Dense(num_classes),
    ])


def main():
    cfg = AudioConfig()
    data = SpeechCommands(cfg)
    model = build_model(len(data.labels))
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
                  metrics=["accuracy"])
    model.fit(data.split("train"), validation_data=data.split("val"), epochs=cfg.epochs)


if __name__ == "__main__":
    main()
