import numpy as np
import tensorflow as tf


class ChurnTrainer:
    def __init__(self, features, labels, weights, batch_size=256):
        self.arrays = (features.astype("float32"), labels.astype("float32"), weights)
        self.batch_size = batch_size
        self.model = tf.keras.Sequential([
            tf.keras.layers.Dense(32, activation="relu"),
            tf.keras.layers.Dense(1, activation="sigmoid"),
        ])
        self.model.compile(optimizer="adam", loss="binary_crossentropy")

    def dataset(self):
        ds = tf.data.Dataset.from_tensor_slices(self.arrays)
        ds = ds.shuffle(len(self.arrays[0]))
        return ds.batch(self.batch_size).prefetch(tf.data.AUTOTUNE)

    def preview(self):
        return list(self.dataset().take(1))[0]

    def train(self, epochs):
        return self.model.fit(self.dataset(), epochs=epochs)


table = np.load("churn.npz")
trainer = ChurnTrainer(table["features"], table["labels"], table["weights"])
print(trainer.preview())
trainer.train(epochs=15)
