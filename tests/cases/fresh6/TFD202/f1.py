import cv2
import numpy as np
import tensorflow as tf


def read(path):
    image = cv2.imread(path.numpy().decode())
    image = cv2.cvtColor(image, cv2.COLOR_BGR2RGB)
    return cv2.resize(image, (224, 224)).astype(np.float32) / 255.0


def load(path, label):
    image = tf.py_function(read, [path], tf.float32)
    return tf.ensure_shape(image, (224, 224, 3)), label


paths = sorted(tf.io.gfile.glob("/data/cats_dogs/*/*.jpg"))
labels = [float("dog" in p) for p in paths]
ds = tf.data.Dataset.from_tensor_slices((paths, labels)).shuffle(len(paths))
ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.batch(32).prefetch(tf.data.AUTOTUNE)
model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
model.compile("adam", "binary_crossentropy")
model.fit(ds, epochs=20)
