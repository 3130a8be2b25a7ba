import numpy as np
import tensorflow as tf

rng = np.random.default_rng(14)
walk = np.cumsum(rng.normal(size=5000)).astype("float32")

windows = tf.data.Dataset.from_tensor_slices(walk)
windows = windows.window(32, shift=8, drop_remainder=True)
windows = windows.batch(16)
pairs = windows.map(lambda w: (w, w), num_parallel_calls=tf.data.AUTOTUNE)
pairs = pairs.shuffle(100).prefetch(tf.data.AUTOTUNE)

autoencoder = tf.keras.Sequential([
    tf.keras.Input((32,)),
    tf.keras.layers.Dense(8, activation="relu"),
    tf.keras.layers.Dense(32),
])
autoencoder.compile("adam", "mse")
autoencoder.fit(pairs, epochs=20)
