import pathlib

import cv2
import numpy as np
import tensorflow as tf


class TrafficSigns:
    """Reads the GTSRB folders."""

    def __init__(self, root, size=48):
        self.root = pathlib.Path(root)
        self.size = size
        self.images, self.labels = self._load_folders()

    def _load_folders(self):
        images, labels = [], []
        for folder in sorted(self.root.iterdir()):
            for path in folder.glob("*.ppm"):
                image = cv2.imread(str(path))
                image = cv2.cvtColor(image, cv2.COLOR_BGR2RGB)
                image = cv2.resize(image, (self.size, self.size))
                images.append(image)
                labels.append(int(folder.name))
        return np.stack(images), np.asarray(labels, np.int32)

    def _augment(self, image, label):
        image = tf.cast(image, tf.float32) / 255.0
        image = tf.image.random_brightness(image, 0.2)
        return tf.image.random_contrast(image, 0.8, 1.2), label

    def train(self, batch_size):
        ds = tf.data.Dataset.from_tensor_slices((self.images, self.labels))
        ds = ds.shuffle(len(self.labels))
        ds = ds.map(self._augment, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


def main():
    data = TrafficSigns("/data/GTSRB/Final_Training/Images")
    model = tf.keras.Sequential([
        tf.keras.layers.Conv2D(32, 3, activation="relu"),
        tf.keras.layers.MaxPooling2D(),
        tf.keras.layers.Conv2D(64, 3, activation="relu"),
        tf.keras.layers.MaxPooling2D(),
        tf.keras.layers.Flatten(),
        tf.keras.layers.Dense(256, activation="relu"),
        tf.keras.layers.Dense(43, activation="softmax"),
    ])
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(data.train(128), epochs=30)


if __name__ == "__main__":
    main()
