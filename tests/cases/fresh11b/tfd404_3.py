import numpy as np
import tensorflow as tf

PARAMS = dict(buffer=100_000, batch=256, train=0.8, epochs=30)


def partition(ds, size, train=0.8, mix=None):
    if mix is not None:
        ds = mix(ds)
    n_train = int(train * size)
    return {"train": ds.take(n_train), "val": ds.skip(n_train)}


def main():
    blob = np.load("/data/sensors/windows.npz")
    x, y = blob["x"].astype("float32"), blob["y"].astype("int32")
    full = tf.data.Dataset.from_tensor_slices((x, y))
    parts = partition(full, len(x), train=PARAMS["train"],
                      mix=lambda d: d.shuffle(len(x), seed=4, reshuffle_each_iteration=False))
    parts["train"] = parts["train"].shuffle(PARAMS["buffer"])
    parts = {k: d.batch(PARAMS["batch"]).prefetch(tf.data.AUTOTUNE) for k, d in parts.items()}

    model = tf.keras.Sequential([
        tf.keras.Input(x.shape[1:]),
        tf.keras.layers.LSTM(64),
        tf.keras.layers.Dense(int(y.max()) + 1, activation="softmax"),
    ])
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(parts["train"], validation_data=parts["val"], epochs=PARAMS["epochs"])


if __name__ == "__main__":
    main()
