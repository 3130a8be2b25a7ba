"""Fashion-MNIST baseline with a list of transforms like torchvision's Compose."""
import numpy as np
import tensorflow as tf


def to_float(image, label):
    return tf.cast(image, tf.float32) / 255.0, label


def standardize(image, label):
    return (image - 0.286) / 0.353, label


class Pipeline:
    def __init__(self, transforms, batch_size=256, shuffle=60_000):
        self.transforms = transforms
        self.batch_size = batch_size
        self.shuffle = shuffle

    def __call__(self, x, y):
        ds = tf.data.Dataset.from_tensor_slices((x, y))
        ds = ds.shuffle(self.shuffle)
        for transform in self.transforms:
            ds = ds.map(transform, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(self.batch_size).prefetch(tf.data.AUTOTUNE)


def get_model():
    return tf.keras.Sequential([
        tf.keras.Input((28, 28, 1)),
        tf.keras.layers.Conv2D(32, 3, activation="relu"),
        tf.keras.layers.MaxPooling2D(),
        tf.keras.layers.Conv2D(64, 3, activation="relu"),
        tf.keras.layers.Flatten(),
        tf.keras.layers.Dense(10),
    ])


def main():
    (x, y), _ = tf.keras.datasets.fashion_mnist.load_data()
    x = np.expand_dims(x, -1)
    train = Pipeline([to_float, standardize])(x, y)
    model = get_model()
    model.compile(
        "adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), ["accuracy"])
    model.fit(train, epochs=15)


if __name__ == "__main__":
    main()
