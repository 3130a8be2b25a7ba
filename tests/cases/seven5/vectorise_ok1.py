"""Kuzushiji-49: 230,000 characters, 49 classes."""
import numpy as np
import tensorflow as tf
import keras

NUM_CLASSES = 49


class Scale:
    def __init__(self, mean, std):
        self.mean = mean
        self.std = std

    def __call__(self, images, labels):
        images = (tf.cast(images, tf.float32) / 255.0 - self.mean) / self.std
        return images[..., tf.newaxis], tf.one_hot(labels, NUM_CLASSES)


def dataset(images, labels, batch_size, training):
    ds = tf.data.Dataset.from_tensor_slices((images, labels))
    if training:
        ds = ds.shuffle(len(images))
    ds = ds.batch(batch_size)
    ds = ds.map(Scale(0.1904, 0.3475), num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


def load(kind):
    root = "/data/kmnist"
    images = np.load(f"{root}/k49-{kind}-imgs.npz")["arr_0"]
    labels = np.load(f"{root}/k49-{kind}-labels.npz")["arr_0"]
    return images, labels


if __name__ == "__main__":
    model = keras.Sequential([
        keras.Input((28, 28, 1)),
        keras.layers.Conv2D(64, 3, activation="relu"),
        keras.layers.MaxPooling2D(),
        keras.layers.Conv2D(128, 3, activation="relu"),
        keras.layers.Flatten(),
        keras.layers.Dense(NUM_CLASSES),
    ])
    model.compile("adam", keras.losses.CategoricalCrossentropy(from_logits=True), ["accuracy"])
    model.fit(
        dataset(*load("train"), 512, True),
        validation_data=dataset(*load("test"), 2048, False),
        epochs=25,
    )
