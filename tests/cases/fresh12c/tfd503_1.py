"""Tabular regression for flight delays, Keras fit with TensorBoard."""
import datetime
import os

import tensorflow as tf

CONFIG = {
    "files": "/data/flights/year=20*/part-*.csv",
    "batch": 4096,
    "epochs": 6,
    "logdir": "/logs/flights",
    "profile": (100, 400),
}


def rows(cfg):
    files = tf.data.Dataset.list_files(cfg["files"])
    ds = files.interleave(lambda f: tf.data.TextLineDataset(f).skip(1), cycle_length=12,
                          num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
    ds = ds.shuffle(500_000).batch(cfg["batch"], drop_remainder=True)

    def parse(lines):
        cols = tf.io.decode_csv(lines, [0.0] * 24)
        return tf.stack(cols[1:], axis=1), cols[0]

    return ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


def callbacks(cfg):
    run = datetime.datetime.now().strftime("%Y%m%d-%H%M%S")
    return [
        tf.keras.callbacks.TensorBoard(
            log_dir=os.path.join(cfg["logdir"], run),
            update_freq="epoch",
            profile_batch=cfg["profile"],
        ),
        tf.keras.callbacks.ModelCheckpoint("flights.keras", monitor="loss", save_best_only=True),
        tf.keras.callbacks.TerminateOnNaN(),
    ]


def main(cfg):
    model = tf.keras.Sequential([tf.keras.Input((23,))])
    for units in (512, 256, 128):
        model.add(tf.keras.layers.Dense(units, activation="relu"))
    model.add(tf.keras.layers.Dense(1))
    model.compile(tf.keras.optimizers.Adam(1e-3), "mae")
    model.fit(rows(cfg), epochs=cfg["epochs"], callbacks=callbacks(cfg))


if __name__ == "__main__":
    main(CONFIG)
