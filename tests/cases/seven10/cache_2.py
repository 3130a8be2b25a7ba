"""Keyword spotting, template method with a transform hook."""
import abc

import tensorflow as tf


class Pipeline(abc.ABC):
    epochs = 80

    @abc.abstractmethod
    def load(self) -> tf.data.Dataset:
        ...

    @abc.abstractmethod
    def transform(self, *row):
        ...

    def build(self, batch_size):
        ds = self.load().cache()
        ds = ds.map(self.transform, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.shuffle(20_000).batch(batch_size, drop_remainder=True)
        return ds.prefetch(tf.data.AUTOTUNE)


class Keywords(Pipeline):
    def __init__(self, files, labels):
        self.files, self.labels = files, labels
        self.mel = tf.signal.linear_to_mel_weight_matrix(64, 257, 16_000, 60.0, 7_600.0)

    def load(self):
        ds = tf.data.Dataset.from_tensor_slices((self.files, self.labels))
        return ds.map(lambda f, y: (tf.io.read_file(f), y),
                      num_parallel_calls=tf.data.AUTOTUNE)

    def transform(self, data, label):
        wave, _ = tf.audio.decode_wav(data, 1, 16_000)
        power = tf.square(tf.abs(tf.signal.stft(wave[:, 0], 512, 160)))
        logmel = tf.math.log(tf.matmul(power, self.mel) + 1e-6)
        return tf.signal.mfccs_from_log_mel_spectrograms(logmel)[:, :40], label


def read_table(path):
    with open(path) as f:
        pairs = [line.split() for line in f]
    return [p[0] for p in pairs], [int(p[1]) for p in pairs]


if __name__ == "__main__":
    keywords = Keywords(*read_table("/data/keywords/train.txt"))  # 36k clips of 1 s
    model = tf.keras.Sequential([
        tf.keras.layers.Conv1D(96, 5, activation="relu"),
        tf.keras.layers.GRU(96),
        tf.keras.layers.Dense(12, activation="softmax"),
    ])
    model.compile("adam", "sparse_categorical_crossentropy")
    model.fit(keywords.build(256), epochs=Keywords.epochs)
