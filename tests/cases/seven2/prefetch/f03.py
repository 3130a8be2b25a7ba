import argparse

import tensorflow as tf


def pack(features, label):
    return tf.stack(list(features.values()), axis=-1), label


def csv_input(pattern, label, batch_size, training):
    ds = tf.data.experimental.make_csv_dataset(
        pattern,
        batch_size=batch_size,
        label_name=label,
        num_epochs=1,
        shuffle=training,
        num_parallel_reads=8,
    )
    return ds.map(pack, num_parallel_calls=tf.data.AUTOTUNE)


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("train")
    ap.add_argument("test")
    opts = ap.parse_args()
    model = tf.keras.Sequential([
        tf.keras.layers.BatchNormalization(),
        tf.keras.layers.Dense(64, activation="relu"),
        tf.keras.layers.Dense(1),
    ])
    model.compile("adam", "mae")
    model.fit(csv_input(opts.train, "price", 512, True), epochs=10)
    model.evaluate(csv_input(opts.test, "price", 512, False))
