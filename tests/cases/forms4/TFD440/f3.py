import numpy as np
import tensorflow as tf


class NoisySignals:
    def __init__(self, signals, labels, seed=5):
        self.signals = signals
        self.labels = labels
        self.seed = seed
        self.rng = np.random.default_rng(seed)

    def corrupt(self, signal):
        noise = self.rng.normal(scale=0.05, size=signal.shape)
        return (signal + noise).astype("float32")

    def augment(self, signal, label):
        noisy = tf.numpy_function(self.corrupt, [signal], tf.float32)
        return tf.ensure_shape(noisy, signal.shape), label

    def dataset(self, batch_size=32):
        ds = tf.data.Dataset.from_tensor_slices((self.signals, self.labels))
        ds = ds.shuffle(len(self.labels), seed=self.seed)
        ds = ds.map(self.augment, num_parallel_calls=8)
        return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


tf.keras.utils.set_random_seed(5)
archive = np.load("ecg.npz")
source = NoisySignals(archive["x"].astype("float32"), archive["y"])
model = tf.keras.Sequential([
    tf.keras.layers.Conv1D(32, 7, activation="relu"),
    tf.keras.layers.GlobalMaxPooling1D(),
    tf.keras.layers.Dense(5, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(source.dataset(), epochs=20)
