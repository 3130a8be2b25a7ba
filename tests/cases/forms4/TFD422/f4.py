import math

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(0)
points = rng.uniform(-1, 1, size=(3000, 2)).astype("float32")
inside = (np.linalg.norm(points, axis=1) < 0.7).astype("float32")


def stream():
    for i in rng.permutation(len(points)):
        yield points[i], inside[i]


ds = tf.data.Dataset.from_generator(
    stream,
    output_signature=(tf.TensorSpec((2,), tf.float32), tf.TensorSpec((), tf.float32)),
)
ds = ds.batch(50).prefetch(tf.data.AUTOTUNE)
steps = math.ceil(2 * len(points) / 50)

model = tf.keras.Sequential([
    tf.keras.Input((2,)),
    tf.keras.layers.Dense(16, activation="tanh"),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
history = model.fit(ds, epochs=5, steps_per_epoch=steps)
print(history.history["accuracy"])
