import os

import tensorflow as tf


class Spectrograms:
    def __init__(self, folder):
        self.folder = folder
        self.names = [name for name in os.listdir(folder) if name.endswith(".png")]

    def labels(self):
        speakers = [name.split(".")[0].split("-")[-1] for name in self.names]
        known = sorted(set(speakers))
        return [known.index(speaker) for speaker in speakers]

    def decode(self, path):
        image = tf.io.decode_png(tf.io.read_file(path), channels=1)
        return tf.image.resize(image, (128, 64)) / 255.0

    def dataset(self):
        paths = tf.data.Dataset.list_files(f"{self.folder}/*.png", shuffle=False)
        images = paths.map(self.decode, num_parallel_calls=tf.data.AUTOTUNE)
        labels = tf.data.Dataset.from_tensor_slices(self.labels())
        ds = tf.data.Dataset.zip(images, labels)
        return ds.shuffle(2000).batch(64).prefetch(tf.data.AUTOTUNE)


source = Spectrograms("spectrograms")
model = tf.keras.Sequential([
    tf.keras.Input((128, 64, 1)),
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.GlobalMaxPooling2D(),
    tf.keras.layers.Dense(max(source.labels()) + 1, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(source.dataset(), epochs=20)
