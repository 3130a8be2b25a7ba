"""MirroredStrategy training on raw Sentinel tiles (uint8 bytes in TFRecords)."""
import os

import tensorflow as tf

AUTO = tf.data.AUTOTUNE
TILE = (128, 128, 13)
CFG = {"root": "/data/sentinel", "cache": "/nvme/sentinel_train", "per_replica": 64, "epochs": 40}


def read_tile(record):
    ex = tf.io.parse_single_example(record, {"tile": tf.io.FixedLenFeature([], tf.string),
                                             "label": tf.io.FixedLenFeature([], tf.int64)})
    return tf.reshape(tf.io.decode_raw(ex["tile"], tf.uint8), TILE), ex["label"]


def standardize(tile, label):
    return (tf.cast(tile, tf.float32) - 96.0) / 41.0, label


def train_tiles(batch):
    shards = tf.data.Dataset.list_files(os.path.join(CFG["root"], "train-*.tfrecord"), shuffle=False)
    return (
        shards.interleave(tf.data.TFRecordDataset, cycle_length=8, num_parallel_calls=AUTO)
        .map(read_tile, num_parallel_calls=AUTO)
        .map(standardize, num_parallel_calls=AUTO)
        .cache(CFG["cache"])
        .shuffle(8192)
        .batch(batch, drop_remainder=True)
        .prefetch(AUTO)
    )


def main():
    strategy = tf.distribute.MirroredStrategy()
    with strategy.scope():
        model = tf.keras.Sequential([
            tf.keras.layers.Input(TILE),
            tf.keras.layers.Conv2D(64, 7, strides=2, activation="relu"),
            tf.keras.layers.Conv2D(128, 3, strides=2, activation="relu"),
            tf.keras.layers.Conv2D(256, 3, strides=2, activation="relu"),
            tf.keras.layers.GlobalAveragePooling2D(),
            tf.keras.layers.Dense(10, activation="softmax"),
        ])
        model.compile(tf.keras.optimizers.Adam(3e-4), "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(train_tiles(CFG["per_replica"] * strategy.num_replicas_in_sync), epochs=CFG["epochs"])


if __name__ == "__main__":
    main()
