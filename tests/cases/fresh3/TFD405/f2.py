import numpy as np
import tensorflow as tf


class Source:
    def __init__(self, path, batch=256, repeat=True):
        arrays = np.load(path)
        self.x, self.y = arrays["x"].astype("float32"), arrays["y"]
        self.batch = batch
        self.repeat = repeat

    def build(self):
        ds = tf.data.Dataset.from_tensor_slices((self.x, self.y))
        if self.repeat:
            ds = ds.repeat()
        return ds.batch(self.batch).prefetch(tf.data.AUTOTUNE)


model = tf.keras.models.load_model("stars.keras")
test = Source("stars_test.npz").build()
probabilities = model.predict(test)
np.save("stars_probabilities.npy", probabilities)
print(probabilities.shape)
