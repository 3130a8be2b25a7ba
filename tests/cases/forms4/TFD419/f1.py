import numpy as np
import tensorflow as tf

series = np.sin(np.arange(2000) / 20).astype("float32")

ds = tf.data.Dataset.from_tensor_slices(series)
ds = ds.window(21, shift=1, drop_remainder=True)
ds = ds.map(lambda w: (w[:-1], w[-1]), num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.shuffle(1000).batch(32).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.Input((20,)),
    tf.keras.layers.Dense(32, activation="relu"),
    tf.keras.layers.Dense(1),
])
model.compile("adam", "mse")
model.fit(ds, epochs=10)
