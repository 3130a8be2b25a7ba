import numpy as np
import tensorflow as tf


class Contrast:
    """Per-image standardization and one random gain for each image."""

    def __init__(self, low=0.8, high=1.2):
        self.low, self.high = low, high

    def __call__(self, image, label):
        image = tf.cast(image, tf.float32)
        image = (image - tf.reduce_mean(image)) / (tf.math.reduce_std(image) + 1e-6)
        gain = tf.random.uniform([], self.low, self.high)
        return image * gain, label


def dataset(x, y, transform, batch_size=128):
    ds = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(len(x))
    ds = ds.map(transform, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(batch_size)
    return ds.prefetch(tf.data.AUTOTUNE)


def cnn():
    return tf.keras.Sequential([
        tf.keras.Input((32, 32, 3)),
        tf.keras.layers.Conv2D(64, 3, activation="relu"),
        tf.keras.layers.MaxPooling2D(),
        tf.keras.layers.Conv2D(128, 3, activation="relu"),
        tf.keras.layers.GlobalAveragePooling2D(),
        tf.keras.layers.Dense(10, activation="softmax"),
    ])


if __name__ == "__main__":
    (x, y), _ = tf.keras.datasets.cifar10.load_data()
    model = cnn()
    model.compile("adam", "sparse_categorical_crossentropy", ["accuracy"])
    model.fit(dataset(x, np.squeeze(y), Contrast()), epochs=30)
