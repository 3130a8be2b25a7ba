import numpy as np
import tensorflow as tf


def build():
    model = tf.keras.Sequential([
        tf.keras.Input((28, 28, 1)), tf.keras.layers.Conv2D(32, 3, activation="relu"),
        tf.keras.layers.Flatten(), tf.keras.layers.Dense(10, activation="softmax")])
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    return model


def arrays(path):
    with np.load(path) as f:
        return f["images"][..., None].astype("float32") / 255.0, f["labels"]


def run(mode="arrays", batch_size=128):
    x, y = arrays("/data/fashion/train.npz")
    fit_kwargs = {"epochs": 10}
    model = build()
    if mode == "arrays":
        order = np.random.default_rng(0).permutation(len(x))
        return model.fit(x[order], y[order], batch_size=batch_size, validation_split=0.1, **fit_kwargs)
    train = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(len(x)).batch(batch_size)
    valid = tf.data.Dataset.from_tensor_slices(arrays("/data/fashion/valid.npz")).batch(batch_size)
    return model.fit(train.prefetch(tf.data.AUTOTUNE), validation_data=valid.prefetch(tf.data.AUTOTUNE), **fit_kwargs)


if __name__ == "__main__":
    run()
