import numpy as np
import tensorflow.compat.v2 as tf

PARAMS = dict(buffer=100_000, batch=256, train=0.8, epochs=30)


def partition(ds, size, train=0.8, val=0.1, mix=None):
    if mix is not None:
        ds = mix(ds)
    n_train, n_val = int(train * size), int(val * size)
    return {
        "train": ds.take(n_train),
        "val": ds.skip(n_train).take(n_val),
        "test": ds.skip(n_train + n_val),
    }


def main():
    blob = np.load("/data/sensors/windows.npz")
    x, y = blob["x"].astype("float32"), blob["y"].astype("int32")
    full = tf.data.Dataset.from_tensor_slices((x, y))
    parts = partition(full, len(x), train=PARAMS["train"],
                      mix=lambda d: d.shuffle(PARAMS["buffer"], reshuffle_each_iteration=True))
    parts = {k: d.batch(PARAMS["batch"]).prefetch(tf.data.AUTOTUNE) for k, d in parts.items()}

    model = tf.keras.Sequential([
        tf.keras.Input(x.shape[1:]),
        tf.keras.layers.LSTM(64),
        tf.keras.layers.Dense(int(y.max()) + 1, activation="softmax"),
    ])
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(parts["train"], validation_data=parts["val"], epochs=PARAMS["epochs"],
              callbacks=[tf.keras.callbacks.EarlyStopping(patience=3)])
    print(model.evaluate(parts["test"]))


if __name__ == "__main__":
    main()
