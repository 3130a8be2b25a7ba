"""Anomaly scores for the sensors of a plant."""
import numpy as np
import tensorflow as tf

SENSORS = ("pressure", "flow", "heat")


def readings(seed):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(50, 20)).astype("float32")
    return tf.data.Dataset.from_tensor_slices((x, x))


streams = {name: readings(i) for i, name in enumerate(SENSORS)}
for name, ds in streams.items():
    print("preparing", name)
    ds.shuffle(50).batch(10).prefetch(tf.data.AUTOTUNE)

for name in SENSORS:
    auto = tf.keras.Sequential([
        tf.keras.Input((20,)),
        tf.keras.layers.Dense(4, activation="relu"),
        tf.keras.layers.Dense(20),
    ])
    auto.compile("adam", "mse")
    auto.fit(streams[name], epochs=2, verbose=0)
