import numpy as np
import tensorflow as tf


def as_floats(*parts):
    return tuple(tf.cast(part, tf.float32) for part in parts)


def named(x, y, weight):
    return {"x": x, "y": y, "weight": weight}


def unnamed(row):
    return tf.math.asinh(row["x"]), row["y"], row["weight"]


table = np.load("particles.npz")
ds = tf.data.Dataset.from_tensor_slices((table["x"], table["y"], table["w"])).shuffle(50_000)
ds = ds.map(as_floats, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.map(named, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.filter(lambda row: row["weight"] > 0.0)
ds = ds.map(unnamed, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.batch(512).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Dense(64, activation="relu"),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
model.compile("adam", "binary_crossentropy")
model.fit(ds, epochs=10)
