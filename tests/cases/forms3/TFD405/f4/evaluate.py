import numpy as np
import tensorflow as tf

from data import DataConfig, load

config = DataConfig(path="test.npz", batch=64)
ds = load(config)
labels = np.concatenate([y.numpy() for _, y in ds])
model = tf.keras.models.load_model("digits.keras")
guesses = np.argmax(model.predict(ds, steps=len(labels) // config.batch), axis=1)
print("accuracy", np.mean(guesses == labels[: len(guesses)]))
