import numpy as np
import tensorflow as tf


def compose(*fns):
    def run(ds):
        for fn in fns:
            ds = fn(ds)
        return ds
    return run


def batched(size):
    return lambda ds: ds.batch(size, drop_remainder=True)


def mixed(size, seed=None):
    return lambda ds: ds.shuffle(size, seed=seed)


def scaled(ds):
    return ds.map(lambda x, y: (tf.cast(x, tf.float32) / 255.0, y), num_parallel_calls=tf.data.AUTOTUNE)


arrays = np.load("signs.npz")
source = tf.data.Dataset.from_tensor_slices((arrays["x"], arrays["y"]))
train = source.apply(compose(batched(64), mixed(300, seed=4), scaled)).prefetch(tf.data.AUTOTUNE)
model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(16, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(43, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(train, epochs=12)
