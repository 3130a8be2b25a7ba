from tensorflow.data import AUTOTUNE, Dataset
import tensorflow as tf


class BaseLoader:
    threads = AUTOTUNE
    batch_size = 32
    rate = 16_000

    def __init__(self, table):
        self.paths, self.labels = zip(*table)

    def example(self, path, label):
        raise NotImplementedError

    def build(self):
        ds = Dataset.from_tensor_slices((list(self.paths), list(self.labels)))
        ds = ds.shuffle(len(self.paths))
        ds = ds.map(self.example, self.threads)
        return ds.batch(self.batch_size).prefetch(AUTOTUNE)


class SpectrogramLoader(BaseLoader):
    threads = 24
    batch_size = 128

    def example(self, path, label):
        audio, _ = tf.audio.decode_wav(
            tf.io.read_file(path), desired_channels=1, desired_samples=self.rate)
        stft = tf.signal.stft(audio[:, 0], frame_length=400, frame_step=160)
        return tf.math.log(tf.abs(stft) + 1e-6), label


def read_table(path):
    with open(path) as f:
        for line in f:
            wav, label = line.rstrip().split(",")
            yield wav, int(label)


def main():
    loader = SpectrogramLoader(read_table("/data/keywords/train.csv"))
    model = tf.keras.Sequential([
        tf.keras.layers.Conv1D(64, 3, activation="relu"),
        tf.keras.layers.GlobalMaxPooling1D(),
        tf.keras.layers.Dense(12, activation="softmax"),
    ])
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(loader.build(), epochs=15)


if __name__ == "__main__":
    main()
