import numpy as np
import tensorflow as tf

PIPELINE = {"deterministic": False, "experimental_slack": True}

options = tf.data.Options()
for name, value in PIPELINE.items():
    setattr(options, name, value)
print("tf.data options:", options)

arrays = np.load("radar.npz")
ds = tf.data.Dataset.from_tensor_slices((arrays["x"], arrays["y"]))
ds = ds.shuffle(len(arrays["y"]))
ds = ds.batch(128)
ds = ds.map(lambda x, y: (tf.cast(x, tf.float32) / 4095.0, y), num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Dense(64, activation="relu"),
    tf.keras.layers.Dense(9, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(ds, epochs=10)
