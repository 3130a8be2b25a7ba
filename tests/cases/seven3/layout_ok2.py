from dataclasses import dataclass

import tensorflow as tf
from tensorflow.keras import layers


@dataclass
class EEGConfig:
    pattern: str = "/data/eeg/train-*.tfrecord"
    electrodes: int = 22
    samples: int = 1000
    data_format: str = "channels_last"
    batch_size: int = 64


def batches(cfg):
    spec = {"eeg": tf.io.FixedLenFeature([cfg.electrodes, cfg.samples], tf.float32),
            "task": tf.io.FixedLenFeature([], tf.int64)}
    ds = tf.data.TFRecordDataset(tf.io.gfile.glob(cfg.pattern), num_parallel_reads=tf.data.AUTOTUNE)
    ds = ds.shuffle(10_000).batch(cfg.batch_size)

    def parse(records):
        ex = tf.io.parse_example(records, spec)
        return tf.transpose(ex["eeg"], (0, 2, 1)), ex["task"]

    return ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


def build(cfg):
    axis = 1 if cfg.data_format == "channels_first" else -1
    inputs = tf.keras.Input((cfg.samples, cfg.electrodes))
    x = inputs
    for filters in (32, 64, 128):
        x = layers.Conv1D(filters, 11, strides=2, data_format=cfg.data_format)(x)
        x = layers.BatchNormalization(axis=axis)(x)
        x = layers.ELU()(x)
    x = layers.GlobalAveragePooling1D(data_format=cfg.data_format)(x)
    return tf.keras.Model(inputs, layers.Dense(4, activation="softmax")(x))


config = EEGConfig()
model = build(config)
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(batches(config), epochs=70)
