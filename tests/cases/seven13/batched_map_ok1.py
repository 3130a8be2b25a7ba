"""Network intrusion detection: raw CSV batches, features computed on whole batches."""
import argparse

import tensorflow as tf

COLUMNS = 41
DEFAULTS = [tf.float32] * COLUMNS + [tf.int32]


class Featurizer:
    def __init__(self, log_columns):
        mask = [i in log_columns for i in range(COLUMNS)]
        self.mask = tf.constant(mask)

    def __call__(self, *columns):
        *features, label = columns
        x = tf.stack(features, axis=-1)
        return tf.where(self.mask, tf.math.log1p(tf.nn.relu(x)), x), label


def open_csv(path):
    return tf.data.experimental.CsvDataset(path, DEFAULTS, header=True)


def flows(pattern, batch, training):
    ds = tf.data.Dataset.list_files(pattern, shuffle=training)
    ds = ds.interleave(open_csv, cycle_length=12, num_parallel_calls=tf.data.AUTOTUNE).cache()
    if training:
        ds = ds.shuffle(400_000)
    return (ds.batch(batch)
            .map(Featurizer({0, 4, 5, 22, 23}), num_parallel_calls=tf.data.AUTOTUNE)
            .prefetch(tf.data.AUTOTUNE))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--dir", default="/data/flows")
    ap.add_argument("--batch", type=int, default=4096)
    ap.add_argument("--epochs", type=int, default=20)
    a = ap.parse_args()
    train = flows(f"{a.dir}/train-*.csv", a.batch, True)
    val = flows(f"{a.dir}/val-*.csv", a.batch, False)
    model = tf.keras.Sequential([
        tf.keras.Input([COLUMNS]),
        tf.keras.layers.BatchNormalization(),
        tf.keras.layers.Dense(256, activation="relu"),
        tf.keras.layers.Dense(256, activation="relu"),
        tf.keras.layers.Dense(23, activation="softmax")])
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(train, validation_data=val, epochs=a.epochs)


if __name__ == "__main__":
    main()
