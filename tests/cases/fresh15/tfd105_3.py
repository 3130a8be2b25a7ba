from functools import partial
from pathlib import Path

import tensorflow as tf

HISTORY, HORIZON, CHANNELS = 96, 24, 12

READ = dict(cycle_length=1, block_length=16)
LOADER = {"batch": 256, "shuffle": 16384}


def parse_window(serialized, history, horizon):
    spec = {
        "series": tf.io.FixedLenFeature([(history + horizon) * CHANNELS], tf.float32),
    }
    flat = tf.io.parse_example(serialized, spec)["series"]
    series = tf.reshape(flat, [-1, history + horizon, CHANNELS])
    return series[:, :history], series[:, history:, 0]


def station_files(root):
    files = [str(p) for p in Path(root).glob("station_*.tfrecord")]
    if not files:
        raise FileNotFoundError(root)
    return files


def windows(root, training):
    files = station_files(root)
    ds = tf.data.Dataset.from_tensor_slices(files)
    if training:
        ds = ds.shuffle(len(files))
    ds = ds.interleave(tf.data.TFRecordDataset, **READ)
    if training:
        ds = ds.shuffle(LOADER["shuffle"])
    ds = ds.batch(LOADER["batch"])
    ds = ds.map(
        partial(parse_window, history=HISTORY, horizon=HORIZON),
        num_parallel_calls=tf.data.AUTOTUNE,
    )
    return ds.prefetch(tf.data.AUTOTUNE)


def forecaster():
    return tf.keras.Sequential(
        [
            tf.keras.Input((HISTORY, CHANNELS)),
            tf.keras.layers.LSTM(128, return_sequences=True),
            tf.keras.layers.LSTM(64),
            tf.keras.layers.Dense(HORIZON),
        ]
    )


if __name__ == "__main__":
    model = forecaster()
    model.compile("adam", "huber", metrics=["mae"])
    model.fit(
        windows("/data/weather/train", training=True),
        validation_data=windows("/data/weather/valid", training=False),
        epochs=25,
    )
