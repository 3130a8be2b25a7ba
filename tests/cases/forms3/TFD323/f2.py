import numpy as np
import tensorflow as tf
import tensorflow_datasets as tfds


def embed_all(encoder, ds):
    rows = [encoder(tf.expand_dims(x, 0), training=False)[0] for x, _ in ds]
    return np.stack([r.numpy() for r in rows])


def scaled(image, label):
    return tf.image.resize(image, (128, 128)) / 255.0, label


test = tfds.load("stanford_dogs", split="test", as_supervised=True)
test = test.map(scaled, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)
encoder = tf.keras.models.load_model("encoder.keras")
vectors = embed_all(encoder, test)
labels = np.array([y for _, y in tfds.as_numpy(test)])
np.savez("dogs.npz", vectors=vectors, labels=labels)
