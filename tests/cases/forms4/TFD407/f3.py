import numpy as np
import tensorflow as tf


class ChurnTrainer:
    def __init__(self, features, labels, batch_size=256):
        self.features = features.astype("float32")
        self.labels = labels.astype("float32")
        self.batch_size = batch_size
        self.model = tf.keras.Sequential([
            tf.keras.layers.Dense(32, activation="relu"),
            tf.keras.layers.Dense(1, activation="sigmoid"),
        ])
        self.model.compile(optimizer="adam", loss="binary_crossentropy")

    def dataset(self):
        ds = tf.data.Dataset.from_tensor_slices((self.features, self.labels))
        ds = ds.shuffle(len(self.labels))
        return ds.batch(self.batch_size).prefetch(tf.data.AUTOTUNE)

    def weights(self):
        positive = self.labels.mean()
        return np.where(self.labels == 1, 1.0 / positive, 1.0 / (1.0 - positive))

    def train(self, epochs):
        return self.model.fit(
            self.dataset(),
            sample_weight=self.weights(),
            epochs=epochs,
        )


table = np.load("churn.npz")
trainer = ChurnTrainer(table["features"], table["labels"])
trainer.train(epochs=15)
