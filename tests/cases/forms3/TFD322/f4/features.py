import librosa
import numpy as np


def all_features(files):
    x = np.zeros((len(files), 64, 216, 1), dtype=np.float32)
    y = np.zeros(len(files), dtype=np.int64)
    for i, name in enumerate(files):
        wave, rate = librosa.load(name, sr=22050, duration=5.0)
        mel = librosa.feature.melspectrogram(y=wave, sr=rate, n_mels=64)
        x[i, :, : mel.shape[1], 0] = librosa.power_to_db(mel)[:, :216]
        y[i] = int(name.split("-")[-1].split(".")[0])
    return x, y
