"""Emotion recognition from speech, features by librosa."""
import glob
import os

import librosa
import numpy as np
import tensorflow as tf
import keras

EMOTIONS = {"neutral": 0, "happy": 1, "sad": 2, "angry": 3, "fearful": 4}


def mel(path):
    wave, rate = librosa.load(path.decode(), sr=22_050, duration=4.0)
    wave = librosa.util.fix_length(wave, size=22_050 * 4)
    spec = librosa.feature.melspectrogram(y=wave, sr=rate, n_mels=96, hop_length=512)
    return librosa.power_to_db(spec, ref=np.max).astype(np.float32)


class Speech:
    def __init__(self, root):
        self.paths = sorted(glob.glob(os.path.join(root, "*", "*.wav")))
        self.labels = [EMOTIONS[p.split(os.sep)[-2]] for p in self.paths]

    def _features(self, path, label):
        spec = tf.numpy_function(mel, [path], tf.float32)
        spec = tf.ensure_shape(spec, (96, 173))
        return spec[..., tf.newaxis], label

    def dataset(self, batch_size):
        ds = tf.data.Dataset.from_tensor_slices((self.paths, self.labels))
        ds = ds.shuffle(len(self.paths))
        ds = ds.map(self._features, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


def main():
    train = Speech("/data/emotions/train").dataset(32)
    valid = Speech("/data/emotions/valid").dataset(32)
    model = keras.Sequential([
        keras.Input((96, 173, 1)),
        keras.layers.Conv2D(32, 3, activation="relu"),
        keras.layers.MaxPooling2D(),
        keras.layers.Conv2D(64, 3, activation="relu"),
        keras.layers.GlobalAveragePooling2D(),
        keras.layers.Dense(len(EMOTIONS)),
    ])
    model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True), ["accuracy"])
    model.fit(train, validation_data=valid, epochs=80)


if __name__ == "__main__":
    main()
