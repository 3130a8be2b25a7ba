import numpy as np
import tensorflow as tf


class Features:
    def __init__(self, path):
        self.waves = np.load(path, mmap_mode="r")
        self.all = tf.data.Dataset.from_generator(
            self._rows, output_signature=tf.TensorSpec((16000,), tf.float32))
        self.all = self.all.map(self._spec, num_parallel_calls=tf.data.AUTOTUNE)
        self.cached = self.all.cache()

    def _rows(self):
        for row in self.waves:
            yield row.astype("float32")

    def _spec(self, wave):
        return tf.abs(tf.signal.stft(wave, 512, 128))

    def sample(self, count):
        return self.cached.take(count).batch(50).prefetch(tf.data.AUTOTUNE)


feats = Features("waves.npy")
subset = feats.sample(2000)
norm = tf.keras.layers.Normalization()
norm.adapt(subset)
auto = tf.keras.Sequential([norm, tf.keras.layers.Dense(32, activation="relu"), tf.keras.layers.Dense(257)])
auto.compile("adam", "mse")
auto.fit(subset.map(lambda s: (s, s), num_parallel_calls=tf.data.AUTOTUNE), epochs=20)
