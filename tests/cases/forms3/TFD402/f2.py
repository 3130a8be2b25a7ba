import numpy as np
import tensorflow as tf


def speed_options(threads):
    options = tf.data.Options()
    options.deterministic = False
    options.threading.private_threadpool_size = threads
    return options


def build(x, y, batch):
    options = speed_options(16)
    ds = tf.data.Dataset.from_tensor_slices((x, y))
    ds = ds.shuffle(len(y))
    ds = ds.batch(batch)
    ds = ds.map(lambda a, b: (tf.cast(a, tf.float32) / 255.0, b), num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


(x, y), _ = tf.keras.datasets.mnist.load_data()
model = tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(10, activation="softmax")])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(build(x, y, 256), epochs=5)
