"""Forest cover: transforms registered by a decorator, applied in order."""
import numpy as np
import tensorflow as tf

_REGISTRY = {}


def transform(name):
    def register(fn):
        _REGISTRY[name] = fn
        return fn
    return register


@transform("log")
def log_distances(x, y):
    return tf.concat([x[..., :3], tf.math.log1p(tf.abs(x[..., 3:]))], axis=-1), y


@transform("standardize")
def standardize(x, y):
    return (x - MEAN) / STD, y


@transform("onehot")
def onehot(x, y):
    return x, tf.one_hot(y, 7)


STORE = np.load("/data/covertype.npz")  # 581 012 rows
X, Y = STORE["x"].astype(np.float32), STORE["y"].astype(np.int32)
MEAN, STD = X.mean(0), X.std(0) + 1e-6


def pipeline(names, batch_size=1024):
    ds = tf.data.Dataset.from_tensor_slices((X, Y)).shuffle(len(Y))
    for name in names:
        ds = ds.map(_REGISTRY[name], num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def main():
    model = tf.keras.Sequential([
        tf.keras.layers.Dense(256, activation="relu"),
        tf.keras.layers.Dense(128, activation="relu"),
        tf.keras.layers.Dense(7, activation="softmax"),
    ])
    model.compile("adam", "categorical_crossentropy", metrics=["accuracy"])
    model.fit(pipeline(["log", "standardize", "onehot"]), epochs=30)


if __name__ == "__main__":
    main()
