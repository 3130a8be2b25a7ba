"""Mushrooms from a folder of photographs, augmented by Keras layers in the pipeline."""
import pathlib

import tensorflow as tf


class Pipeline:
    def __init__(self, root, side=112, batch=32):
        self.files = sorted(map(str, pathlib.Path(root).glob("*/*.jpg")))
        self.kinds = sorted({pathlib.Path(f).parent.name for f in self.files})
        self.labels = [self.kinds.index(pathlib.Path(f).parent.name) for f in self.files]
        self.side, self.batch = side, batch
        self.augment = tf.keras.Sequential([
            tf.keras.layers.RandomFlip("horizontal"),
            tf.keras.layers.RandomRotation(0.1),
            tf.keras.layers.RandomZoom(0.2),
        ])

    def read(self, file, label):
        photo = tf.io.decode_jpeg(tf.io.read_file(file), channels=3)
        return tf.image.resize(photo, (self.side, self.side)), label

    def vary(self, photo, label):
        return self.augment(photo, training=True), label

    def train(self):
        ds = tf.data.Dataset.from_tensor_slices((self.files, self.labels))
        ds = ds.map(self.read, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.map(self.vary, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.cache()
        ds = ds.shuffle(len(self.files)).batch(self.batch)
        return ds.prefetch(tf.data.AUTOTUNE)


pipeline = Pipeline("data/mushrooms")
model = tf.keras.Sequential([
    tf.keras.layers.Rescaling(1 / 255.0),
    tf.keras.layers.SeparableConv2D(32, 3, activation="relu"),
    tf.keras.layers.MaxPooling2D(),
    tf.keras.layers.SeparableConv2D(64, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(len(pipeline.kinds), activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(pipeline.train(), epochs=60)
