"""Human activity recognition from phone sensors, windows of 2.56 s."""
import functools
import json

import numpy as np
import tensorflow as tf

CFG = json.loads('{"len": 128, "hop": 64, "batch": 64, "classes": 6}')


def load_subject(path):
    z = np.load(path)
    return {"acc": z["acc"].astype("float32"),
            "gyro": z["gyro"].astype("float32"),
            "activity": z["activity"].astype("int32")}


def join(w):
    signal = tf.concat([w["acc"], w["gyro"]], axis=-1)
    return signal, w["activity"][-1]


def segment(ds, length, hop):
    return ds.window(length, shift=hop, drop_remainder=True)


def dataset(subjects, training):
    cut = functools.partial(segment, length=CFG["len"], hop=CFG["hop"])
    parts = [
        tf.data.Dataset.from_tensor_slices(load_subject(s)).apply(cut)
        for s in subjects
    ]
    ds = parts[0]
    for p in parts[1:]:
        ds = ds.concatenate(p)
    ds = ds.map(join)
    if training:
        ds = ds.cache().shuffle(10_000)
    return ds.batch(CFG["batch"]).prefetch(tf.data.AUTOTUNE)


def net():
    return tf.keras.Sequential([
        tf.keras.layers.Input((CFG["len"], 6)),
        tf.keras.layers.Conv1D(64, 5, activation="relu"),
        tf.keras.layers.Conv1D(64, 5, activation="relu"),
        tf.keras.layers.LSTM(64),
        tf.keras.layers.Dense(CFG["classes"], activation="softmax"),
    ])


if __name__ == "__main__":
    train = dataset([f"/data/har/subject{i:02d}.npz" for i in range(1, 22)], True)
    test = dataset([f"/data/har/subject{i:02d}.npz" for i in range(22, 31)], False)
    model = net()
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(train, validation_data=test, epochs=50)
