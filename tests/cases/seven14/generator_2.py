"""Bird call classifier: clips are read with soundfile since they are FLAC."""
import csv

import librosa
import soundfile as sf
import tensorflow as tf

CFG = {
    "index": "/data/xeno/index.csv",
    "sr": 32000,
    "seconds": 5,
    "audio": {"n_fft": 2048, "hop_length": 512, "n_mels": 128},
    "train": {"batch": 48, "epochs": 40},
}


def _load(path):
    wav, sr = sf.read(path.numpy().decode(), dtype="float32", always_2d=True)
    wav = librosa.resample(wav.mean(1), orig_sr=sr, target_sr=CFG["sr"])
    wav = librosa.util.fix_length(wav, size=CFG["sr"] * CFG["seconds"])
    mel = librosa.feature.melspectrogram(y=wav, sr=CFG["sr"], **CFG["audio"])
    return librosa.power_to_db(mel)


class BirdCalls:
    frames = CFG["sr"] * CFG["seconds"] // CFG["audio"]["hop_length"] + 1

    def __init__(self, index):
        with open(index) as f:
            rows = list(csv.DictReader(f))
        self.paths = [r["path"] for r in rows]
        self.labels = [int(r["species"]) for r in rows]

    def _features(self, path, label):
        x = tf.py_function(_load, [path], tf.float32)
        x.set_shape([CFG["audio"]["n_mels"], self.frames])
        return x[..., tf.newaxis], label

    def dataset(self):
        ds = tf.data.Dataset.from_tensor_slices((self.paths, self.labels))
        ds = ds.map(self._features, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.cache("/scratch/xeno").shuffle(4000)
        return ds.batch(CFG["train"]["batch"]).prefetch(tf.data.AUTOTUNE)


calls = BirdCalls(CFG["index"])
net = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 3, strides=2, activation="relu"),
    tf.keras.layers.Conv2D(64, 3, strides=2, activation="relu"),
    tf.keras.layers.Conv2D(128, 3, strides=2, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(264)])
net.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
net.fit(calls.dataset(), epochs=CFG["train"]["epochs"])
