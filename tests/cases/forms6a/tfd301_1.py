import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE


class MelDataModule:
    """Log-mel features of four-second clips."""

    def __init__(self, table, batch_size=64, cache_file=""):
        self.paths, self.labels = table
        self.batch_size = batch_size
        self.cache_file = cache_file
        self.mel_matrix = tf.signal.linear_to_mel_weight_matrix(
            num_mel_bins=80, num_spectrogram_bins=513, sample_rate=16_000)

    def read(self, path, label):
        return tf.io.read_file(path), label

    def to_mel(self, blob, label):
        audio, _ = tf.audio.decode_wav(blob, desired_channels=1, desired_samples=64_000)
        stft = tf.signal.stft(audio[:, 0], frame_length=1024, frame_step=256)
        mel = tf.matmul(tf.abs(stft), self.mel_matrix)
        return tf.math.log(mel + 1e-6), label

    def source(self):
        ds = tf.data.Dataset.from_tensor_slices((self.paths, self.labels))
        return ds.map(self.read, num_parallel_calls=AUTOTUNE).cache(self.cache_file)

    def featurize(self, ds):
        return ds.map(self.to_mel, num_parallel_calls=AUTOTUNE)

    def train_dataset(self):
        ds = self.source()
        ds = ds.shuffle(len(self.paths))
        ds = self.featurize(ds)
        return ds.batch(self.batch_size).prefetch(AUTOTUNE)


def read_table(path):
    paths, labels = [], []
    with open(path) as f:
        for line in f:
            wav, label = line.strip().split(",")
            paths.append(wav)
            labels.append(int(label))
    return paths, labels


def main():
    data = MelDataModule(read_table("/data/esc50/train.csv"))
    model = tf.keras.Sequential([
        tf.keras.layers.Conv1D(128, 5, activation="relu"),
        tf.keras.layers.Conv1D(128, 5, activation="relu"),
        tf.keras.layers.GlobalAveragePooling1D(),
        tf.keras.layers.Dense(50, activation="softmax"),
    ])
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(data.train_dataset(), epochs=100)


if __name__ == "__main__":
    main()
