import numpy as np
import tensorflow as tf


def augment(image):
    return np.rot90(image, k=np.random.randint(4)).copy()


(x_train, _), _ = tf.keras.datasets.fashion_mnist.load_data()
x_train = (x_train[..., None] / 255.0).astype("float32")

rotated = tf.data.Dataset.from_tensor_slices(x_train).shuffle(60_000)
rotated = rotated.map(
    lambda image: tf.numpy_function(augment, [image], tf.float32),
    num_parallel_calls=tf.data.AUTOTUNE,
)
rotated = rotated.map(
    lambda image: image.set_shape((28, 28, 1)), num_parallel_calls=tf.data.AUTOTUNE
)
rotated = rotated.map(lambda image: (image, image), num_parallel_calls=tf.data.AUTOTUNE)
rotated = rotated.batch(128).prefetch(tf.data.AUTOTUNE)

autoencoder = tf.keras.models.load_model("autoencoder.keras")
autoencoder.fit(rotated, epochs=10)
