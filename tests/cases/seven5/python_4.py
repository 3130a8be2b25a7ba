"""Activity recognition from csv files of a wrist sensor."""
import csv

import numpy as np
import tensorflow as tf
import keras

WINDOW = 200
SIGNATURE = (
    tf.TensorSpec((WINDOW, 6), tf.float32),
    tf.TensorSpec((), tf.int32),
)


def windows(path):
    rows, current = [], None
    with open(path.decode(), newline="") as f:
        for row in csv.DictReader(f):
            activity = int(row["activity"])
            if activity != current:
                rows, current = [], activity
            rows.append([float(row[k]) for k in ("ax", "ay", "az", "gx", "gy", "gz")])
            if len(rows) == WINDOW:
                yield np.array(rows, np.float32), activity
                rows = rows[WINDOW // 2:]


def load(pattern, batch_size=256):
    files = tf.data.Dataset.list_files(pattern)
    ds = files.interleave(
        lambda path: tf.data.Dataset.from_generator(
            windows, args=(path,), output_signature=SIGNATURE),
        cycle_length=8,
        num_parallel_calls=tf.data.AUTOTUNE,
    )
    return ds.shuffle(20_000).batch(batch_size).prefetch(tf.data.AUTOTUNE)


def main():
    model = keras.Sequential([
        keras.Input((WINDOW, 6)),
        keras.layers.Conv1D(64, 7, activation="relu"),
        keras.layers.Conv1D(128, 5, strides=2, activation="relu"),
        keras.layers.GRU(128),
        keras.layers.Dense(18, activation="softmax"),
    ])
    model.compile("adam", "sparse_categorical_crossentropy", ["accuracy"])
    model.fit(
        load("/data/wisdm/train/*.csv"),
        validation_data=load("/data/wisdm/valid/*.csv"),
        epochs=40,
    )


if __name__ == "__main__":
    main()
