import numpy as np
import tensorflow as tf


def load(path):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.resize(image, (224, 224)) / 255.0


model = tf.keras.models.load_model("/models/pets.keras")
for day in ("mon", "tue", "wed"):
    ds = tf.data.Dataset.list_files(f"/data/incoming/{day}/*.jpg", shuffle=False)
    ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(64).prefetch(tf.data.AUTOTUNE)
    np.save(f"scores-{day}.npy", model.predict(ds))
