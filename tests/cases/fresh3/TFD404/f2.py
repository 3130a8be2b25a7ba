import numpy as np
import tensorflow as tf


class CrossValidation:
    def __init__(self, x, y, k=5):
        self.k = k
        self.fold = len(y) // k
        self.examples = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(len(y), seed=17)

    def __iter__(self):
        for i in range(self.k):
            start = i * self.fold
            before = self.examples.take(start)
            after = self.examples.skip(start + self.fold)
            held = self.examples.skip(start).take(self.fold)
            yield self._batches(before.concatenate(after)), self._batches(held)

    @staticmethod
    def _batches(ds):
        return ds.batch(32).prefetch(tf.data.AUTOTUNE)


arrays = np.load("sonar.npz")
scores = []
for train, held in CrossValidation(arrays["x"].astype("float32"), arrays["y"]):
    model = tf.keras.Sequential([
        tf.keras.layers.Dense(32, activation="relu"),
        tf.keras.layers.Dense(1, activation="sigmoid"),
    ])
    model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
    model.fit(train, epochs=30, verbose=0)
    scores.append(model.evaluate(held, verbose=0)[1])
print(np.mean(scores))
