"""Human activity recognition from a phone's accelerometer."""
import numpy as np
import pandas as pd
import tensorflow as tf

LENGTH, SHIFT = 200, 100


def to_tensors(window):
    parts = {name: part.batch(LENGTH, drop_remainder=True) for name, part in window.items()}
    return tf.data.Dataset.zip(parts)


def last_label(window):
    return window["xyz"] - tf.reduce_mean(window["xyz"], axis=0), window["activity"][-1]


def read(path):
    frame = pd.read_csv(path, names=["user", "activity", "t", "x", "y", "z"]).dropna()
    activity = frame["activity"].astype("category").cat.codes.to_numpy()
    xyz = frame[["x", "y", "z"]].to_numpy(np.float32)
    return {"xyz": xyz, "activity": activity.astype(np.int32)}


def dataset(columns, batch_size=128):
    ds = tf.data.Dataset.from_tensor_slices(columns)
    ds = ds.window(LENGTH, shift=SHIFT, drop_remainder=True)
    ds = ds.flat_map(to_tensors)
    ds = ds.map(last_label, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.shuffle(10_000).batch(batch_size).prefetch(tf.data.AUTOTUNE)


def main():
    columns = read("WISDM_ar_v1.1_raw.txt")
    model = tf.keras.Sequential([
        tf.keras.layers.Conv1D(64, 11, activation="relu"),
        tf.keras.layers.Conv1D(64, 11, activation="relu"),
        tf.keras.layers.GlobalMaxPooling1D(),
        tf.keras.layers.Dense(6, activation="softmax"),
    ])
    model.compile("adam", "sparse_categorical_crossentropy", ["accuracy"])
    model.fit(dataset(columns), epochs=50)


if __name__ == "__main__":
    main()
