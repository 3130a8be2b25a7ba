"""Bird calls: the base class holds the pipeline, the subclass the loading."""
import librosa
import numpy as np
import tensorflow as tf


class ClipDataset:
    sample_rate = 22_050
    seconds = 5

    def __init__(self, files, labels, *, batch_size=64):
        self.files = files
        self.labels = labels
        self.batch_size = batch_size

    def load(self, path):
        audio, _ = tf.audio.decode_wav(
            tf.io.read_file(path), 1, self.sample_rate * self.seconds)
        return tf.abs(tf.signal.stft(audio[:, 0], 1024, 512))

    def _row(self, path, label):
        return self.load(path), label

    def build(self):
        ds = tf.data.Dataset.from_tensor_slices((self.files, self.labels))
        ds = ds.shuffle(len(self.files))
        ds = ds.map(self._row, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(self.batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


class MelClips(ClipDataset):
    mels = 128

    def _mel(self, path):
        wave, _ = librosa.load(path.numpy().decode(), sr=self.sample_rate,
                               duration=self.seconds)
        wave = librosa.util.fix_length(wave, size=self.sample_rate * self.seconds)
        mel = librosa.feature.melspectrogram(y=wave, sr=self.sample_rate, n_mels=self.mels)
        return librosa.power_to_db(mel).T.astype(np.float32)

    def load(self, path):
        mel = tf.py_function(func=self._mel, inp=[path], Tout=tf.float32)
        return tf.ensure_shape(mel, [216, self.mels])


def listing(path):
    with open(path) as f:
        pairs = [row.rstrip("\n").split("\t") for row in f]
    return [p for p, _ in pairs], [int(s) for _, s in pairs]


if __name__ == "__main__":
    files, species = listing("/data/birds/train.tsv")  # 63k clips
    train = MelClips(files, species).build()
    model = tf.keras.Sequential([
        tf.keras.layers.Conv1D(128, 7, 2, activation="relu"),
        tf.keras.layers.Bidirectional(tf.keras.layers.GRU(128)),
        tf.keras.layers.Dense(264, activation="softmax"),
    ])
    model.compile("adam", "sparse_categorical_crossentropy")
    model.fit(train, epochs=30)
