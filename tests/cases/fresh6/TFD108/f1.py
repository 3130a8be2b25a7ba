import numpy as np
import tensorflow as tf

archive = np.load("/data/tabular.npz")
ds = tf.data.Dataset.from_tensor_slices((archive["y"], archive["x"]))
ds = ds.shuffle(len(archive["y"]))
ds = ds.map(lambda y, x: (x, y), num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.batch(128).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Dense(64, activation="relu"),
    tf.keras.layers.Dense(1),
])
model.compile("adam", "mse")
model.fit(ds, epochs=20)
