import numpy as np
import tensorflow as tf

NAMES = ("train", "valid", "test")


def source(bounds):
    ids = np.arange(*bounds, dtype=np.float32)
    return tf.data.Dataset.from_tensor_slices((ids[:, None] / 300, np.sin(ids[:, None] / 50)))


def finish(ds):
    return ds.batch(25).prefetch(tf.data.AUTOTUNE)


raw = list(map(source, [(0, 200), (200, 250), (250, 300)]))
raw[0] = raw[0].shuffle(200)
data = dict(zip(NAMES, map(finish, raw)))

model = tf.keras.Sequential([
    tf.keras.Input((1,)),
    tf.keras.layers.Dense(10, activation="tanh"),
    tf.keras.layers.Dense(1),
])
model.compile("adam", "mse")
model.fit(data["train"], validation_data=data["valid"], epochs=3, verbose=0)
print(model.evaluate(data["test"], verbose=0))
