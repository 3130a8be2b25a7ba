import os
import random

import numpy as np
import tensorflow as tf

SEED = 1234


def setup(seed=SEED):
    os.environ["PYTHONHASHSEED"] = str(seed)
    random.seed(seed)
    np.random.seed(seed)
    tf.random.set_seed(seed)
    tf.config.threading.set_inter_op_parallelism_threads(1)
    tf.config.threading.set_intra_op_parallelism_threads(1)


def read(path, age):
    scan = tf.io.decode_png(tf.io.read_file(path), channels=1)
    scan = tf.image.resize(scan, [299, 299])
    return scan / 255.0, age


def dataset(rows, batch_size, training):
    paths = [row[0] for row in rows]
    ages = np.array([float(row[1]) for row in rows], np.float32)
    ds = tf.data.Dataset.from_tensor_slices((paths, ages))
    if training:
        ds = ds.shuffle(len(paths), seed=SEED)
    ds = ds.map(read, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


def read_rows(name):
    with open(name) as handle:
        return [line.strip().split(",") for line in handle]


def network():
    layers = tf.keras.layers
    return tf.keras.Sequential(
        [
            tf.keras.Input([299, 299, 1]),
            layers.Conv2D(32, 3, strides=2, activation="relu"),
            layers.Conv2D(64, 3, strides=2, activation="relu"),
            layers.Conv2D(128, 3, strides=2, activation="relu"),
            layers.GlobalAveragePooling2D(),
            layers.Dense(64, activation="relu"),
            layers.Dense(1),
        ]
    )


def main():
    setup()
    rows = read_rows("bone_age.csv")
    random.shuffle(rows)
    cut = int(0.85 * len(rows))
    model = network()
    model.compile("adam", "mae")
    model.fit(
        dataset(rows[:cut], 32, True),
        validation_data=dataset(rows[cut:], 32, False),
        epochs=40,
        callbacks=[tf.keras.callbacks.EarlyStopping(patience=5)],
    )
    model.save("bone_age.keras")


if __name__ == "__main__":
    main()
