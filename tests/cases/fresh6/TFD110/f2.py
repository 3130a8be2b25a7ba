import numpy as np
import requests
import tensorflow as tf


def download(url):
    response = requests.get(url.decode(), timeout=30)
    response.raise_for_status()
    return np.bytes_(response.content)


def fetch(url):
    jpeg = tf.numpy_function(download, [url], tf.string)
    jpeg = tf.ensure_shape(jpeg, ())
    image = tf.io.decode_jpeg(jpeg, channels=3)
    return tf.image.resize(image, (224, 224)) / 255.0


urls = tf.data.TextLineDataset("/data/urls.txt")
images = urls.map(fetch, num_parallel_calls=tf.data.AUTOTUNE)
images = images.batch(32).prefetch(tf.data.AUTOTUNE)
model = tf.keras.models.load_model("/models/tagger.keras")
scores = model.predict(images)
np.save("scores.npy", scores)
