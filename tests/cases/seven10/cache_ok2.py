"""Machine-sound anomaly detection, template method with a transform hook."""
import abc

import tensorflow as tf


class Pipeline(abc.ABC):
    @abc.abstractmethod
    def load(self) -> tf.data.Dataset:
        ...

    @abc.abstractmethod
    def transform(self, *row):
        ...

    def build(self, batch_size):
        ds = self.load()
        ds = ds.map(self.transform, num_parallel_calls=tf.data.AUTOTUNE).cache()
        ds = ds.shuffle(15_000).batch(batch_size, drop_remainder=True)
        return ds.prefetch(tf.data.AUTOTUNE)


class MachineSounds(Pipeline):
    def __init__(self, pattern):
        self.files = tf.io.gfile.glob(pattern)
        self.mel = tf.signal.linear_to_mel_weight_matrix(64, 257, 16_000, 60.0, 7_600.0)

    def load(self):
        return tf.data.Dataset.from_tensor_slices(self.files)

    def transform(self, path):
        wave, _ = tf.audio.decode_wav(tf.io.read_file(path), 1, 32_000)
        power = tf.square(tf.abs(tf.signal.stft(wave[:, 0], 512, 256)))
        logmel = tf.math.log(tf.matmul(power, self.mel) + 1e-6)
        return logmel, logmel


if __name__ == "__main__":
    model = tf.keras.Sequential([
        tf.keras.layers.Dense(128, activation="relu"),
        tf.keras.layers.Dense(8, activation="relu"),
        tf.keras.layers.Dense(128, activation="relu"),
        tf.keras.layers.Dense(64),
    ])
    model.compile("adam", "mse")
    model.fit(MachineSounds("/data/dcase/*.wav").build(128), epochs=100)
