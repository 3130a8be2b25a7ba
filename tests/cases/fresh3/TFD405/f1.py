import numpy as np
import tensorflow as tf


def samples(seed=0):
    rng = np.random.default_rng(seed)
    while True:
        freq = rng.uniform(1.0, 20.0)
        t = np.linspace(0.0, 1.0, 256, dtype=np.float32)
        yield np.sin(2 * np.pi * freq * t), np.float32(freq)


ds = tf.data.Dataset.from_generator(
    samples,
    output_signature=(tf.TensorSpec((256,), tf.float32), tf.TensorSpec((), tf.float32)),
)
ds = ds.batch(64)
ds = ds.prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Dense(64, activation="relu"),
    tf.keras.layers.Dense(1),
])
model.compile("adam", "mae")
model.fit(ds, epochs=20)
model.save("frequency.keras")
