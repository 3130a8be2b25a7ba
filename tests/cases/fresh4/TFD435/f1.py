import os
import pathlib

import tensorflow as tf

FOLDER = pathlib.Path("fonts")


def letter(name):
    return ord(name[0].upper()) - ord("A")


labels = [letter(name) for name in next(os.walk(FOLDER))[2] if name.endswith(".png")]
files = [str(path) for path in sorted(FOLDER.glob("*.png"))]


def read(path):
    glyph = tf.io.decode_png(tf.io.read_file(path), channels=1)
    return tf.image.resize(glyph, (32, 32)) / 255.0


glyphs = tf.data.Dataset.from_tensor_slices(files)
glyphs = glyphs.map(read, num_parallel_calls=tf.data.AUTOTUNE)
train = tf.data.Dataset.zip(glyphs, tf.data.Dataset.from_tensor_slices(labels))
train = train.shuffle(len(files)).batch(64).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.Input((32, 32, 1)),
    tf.keras.layers.Flatten(),
    tf.keras.layers.Dense(64, activation="relu"),
    tf.keras.layers.Dense(26, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(train, epochs=20)
