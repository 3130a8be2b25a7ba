import cv2
import numpy as np
import tensorflow as tf


def read(path):
    image = cv2.imread(path.decode())
    return cv2.resize(image, (224, 224)).astype(np.float32) / 255.0


def load(path):
    image = tf.ensure_shape(tf.numpy_function(read, [path], tf.float32), (224, 224, 3))
    return image, tf.cast(tf.strings.split(path, "/")[-2] == "dog", tf.float32)


ds = tf.data.Dataset.list_files("/nfs/cats_dogs/*/*.jpg")
ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.batch(64)
ds = ds.apply(tf.data.experimental.service.distribute(
    processing_mode=tf.data.experimental.service.ShardingPolicy.DYNAMIC,
    service="grpc://dispatcher:5000",
))
ds = ds.prefetch(tf.data.AUTOTUNE)
model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
model.compile("adam", "binary_crossentropy")
model.fit(ds, epochs=20)
