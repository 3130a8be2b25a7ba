import random

import tensorflow as tf

tf.random.set_seed(42)

files = sorted(tf.io.gfile.glob("xray/train/*/*.png"))
random.Random(42).shuffle(files)
labels = [int("PNEUMONIA" in f) for f in files]


def load(path, label):
    img = tf.io.decode_png(tf.io.read_file(path), channels=1)
    img = tf.image.resize(img, [256, 256]) / 255.0
    return img, label


def augment(img, label):
    img = tf.image.random_flip_left_right(img)
    img = tf.image.random_brightness(img, 0.2)
    img = tf.image.random_crop(img, [224, 224, 1])
    return img, label


ds = tf.data.Dataset.from_tensor_slices((files, labels))
ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.map(augment)
ds = ds.shuffle(2000)
ds = ds.batch(32).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Input((224, 224, 1)),
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.MaxPooling2D(),
    tf.keras.layers.Conv2D(64, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
model.compile(optimizer="adam", loss="binary_crossentropy", metrics=["accuracy"])
model.fit(ds, epochs=30)
