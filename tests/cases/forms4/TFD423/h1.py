import numpy as np
import tensorflow as tf


def examples():
    rng = np.random.default_rng(3)
    for _ in range(5000):
        x = rng.normal(size=16).astype("float32")
        yield x, np.float32(x.sum() > 0)


ds = tf.data.Dataset.from_generator(
    examples,
    output_signature=(
        tf.TensorSpec(shape=(16,), dtype=tf.float32),
        tf.TensorSpec(shape=(), dtype=tf.float32),
    ),
)
ds = ds.shuffle(1000).batch(64).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.Input((16,)),
    tf.keras.layers.Dense(8, activation="relu"),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
model.compile("adam", "binary_crossentropy")
model.fit(ds, epochs=5)
