"""Keyword spotting: waveforms to log-mel spectrograms, 100 epochs."""
from dataclasses import dataclass

import tensorflow as tf
import keras


@dataclass
class Audio:
    rate: int = 16_000
    frame: int = 640
    hop: int = 160
    mels: int = 64

    def load(self, path, label):
        wave, _ = tf.audio.decode_wav(tf.io.read_file(path), 1, self.rate)
        return tf.squeeze(wave, -1), label

    def spectrogram(self, wave, label):
        stft = tf.signal.stft(wave, self.frame, self.hop, fft_length=1024)
        weights = tf.signal.linear_to_mel_weight_matrix(self.mels, 513, self.rate, 20.0, 7600.0)
        mel = tf.matmul(tf.abs(stft) ** 2, weights)
        mfcc = tf.signal.mfccs_from_log_mel_spectrograms(tf.math.log(mel + 1e-6))
        return mfcc[..., tf.newaxis], label


def make(root, words, cfg, training):
    paths, labels = [], []
    for index, word in enumerate(words):
        found = sorted(tf.io.gfile.glob(f"{root}/{word}/*.wav"))
        paths += found
        labels += [index] * len(found)
    ds = tf.data.Dataset.from_tensor_slices((paths, labels))
    ds = ds.map(cfg.load, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.cache()
    if training:
        ds = ds.shuffle(len(paths))
    ds = ds.map(cfg.spectrogram, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(128).prefetch(tf.data.AUTOTUNE)


def main():
    words = ["yes", "no", "up", "down", "left", "right", "on", "off", "stop", "go"]
    cfg = Audio()
    train = make("/data/speech_commands/train", words, cfg, True)
    valid = make("/data/speech_commands/valid", words, cfg, False)
    model = keras.Sequential([
        keras.Input((97, cfg.mels, 1)),
        keras.layers.Conv2D(64, 3, activation="relu"),
        keras.layers.MaxPooling2D(),
        keras.layers.Conv2D(128, 3, activation="relu"),
        keras.layers.GlobalAveragePooling2D(),
        keras.layers.Dense(len(words), activation="softmax"),
    ])
    model.compile("adam", "sparse_categorical_crossentropy", ["accuracy"])
    model.fit(train, validation_data=valid, epochs=100)


if __name__ == "__main__":
    main()
