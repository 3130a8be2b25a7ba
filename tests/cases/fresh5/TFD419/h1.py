import numpy as np
import tensorflow as tf

series = np.load("/data/load.npy").astype("float32")
WINDOW = 48

ds = tf.data.Dataset.from_tensor_slices(series)
ds = ds.window(WINDOW + 1, shift=1, drop_remainder=True)
ds = ds.flat_map(lambda w: w.batch(WINDOW + 1, drop_remainder=True))
ds = ds.shuffle(10_000).batch(64)
ds = ds.map(lambda w: (w[:, :-1], w[:, -1]), num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Reshape((WINDOW, 1)),
    tf.keras.layers.LSTM(32),
    tf.keras.layers.Dense(1),
])
model.compile("adam", "mse")
model.fit(ds, epochs=20)
