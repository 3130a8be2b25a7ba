import numpy as np
import tensorflow as tf


def load(path):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.resize(image, (224, 224)) / 255.0


ds = tf.data.Dataset.list_files("/data/incoming/*.jpg", shuffle=False)
ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.batch(64).prefetch(tf.data.AUTOTUNE)

model = tf.keras.models.load_model("/models/pets.keras")
results = []
for images in ds:
    results.append(model.predict(images, verbose=0))
np.save("scores.npy", np.concatenate(results))
