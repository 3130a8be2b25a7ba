import numpy as np
import tensorflow as tf


class MixedTrainer:
    def __init__(self, width):
        self.streams = []
        self.weights = []
        self.model = tf.keras.Sequential([tf.keras.Input((width,)), tf.keras.layers.Dense(1)])
        self.model.compile("adam", "mse")

    def add(self, x, y, weight):
        self.streams.append(tf.data.Dataset.from_tensor_slices((x, y)).shuffle(len(x)).repeat())
        self.weights.append(weight)
        return self

    def finish(self, batch_size):
        total = sum(self.weights)
        mixed = tf.data.Dataset.sample_from_datasets(self.streams, [w / total for w in self.weights])
        self.mixed = mixed.batch(batch_size).prefetch(tf.data.AUTOTUNE)
        return self

    def run(self, epochs):
        return self.model.fit(self.mixed, steps_per_epoch=10, epochs=epochs, verbose=0)


trainer = MixedTrainer(3)
for weight, n in ((5, 50), (2, 20), (1, 90)):
    x = np.random.rand(n, 3).astype("float32")
    trainer.add(x, x.sum(axis=1), weight)
trainer.finish(batch_size=8).run(epochs=2)
