import numpy as np
import tensorflow as tf


def count(ds):
    return sum(1 for _ in ds)


arrays = np.load("pumps.npz")
ds = tf.data.Dataset.from_tensor_slices((arrays["x"].astype("float32"), arrays["y"].astype("float32")))
ds = ds.filter(lambda x, y: tf.reduce_all(tf.math.is_finite(x)))
kept = count(ds)
print(f"{kept} of {len(arrays['y'])} rows are complete")
ds = ds.shuffle(len(arrays["y"])).batch(64).prefetch(tf.data.AUTOTUNE)
model = tf.keras.Sequential([tf.keras.layers.Dense(32, activation="relu"), tf.keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(ds, epochs=10)
