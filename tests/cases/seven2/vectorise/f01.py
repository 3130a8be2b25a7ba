import functools

import h5py
import tensorflow as tf

with h5py.File("galaxies.h5") as f:
    flux = f["flux"][:]
    kind = f["kind"][:]

STEPS = [
    lambda x, y: (tf.cast(x, tf.float32), y),
    lambda x, y: (tf.math.asinh(x * 0.1), y),
    lambda x, y: (x, tf.one_hot(tf.cast(y, tf.int32), 10)),
]


def chain(ds, steps):
    return functools.reduce(
        lambda d, fn: d.map(fn, num_parallel_calls=tf.data.AUTOTUNE),
        steps,
        ds,
    )


train = tf.data.Dataset.from_tensor_slices((flux, kind)).shuffle(len(kind))
train = chain(train, STEPS)
train = train.batch(256, drop_remainder=True).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.Conv2D(64, 3, strides=2, activation="relu"),
    tf.keras.layers.GlobalMaxPooling2D(),
    tf.keras.layers.Dense(10, activation="softmax"),
])
model.compile("adam", "categorical_crossentropy", metrics=["accuracy"])
model.fit(train, epochs=25)
