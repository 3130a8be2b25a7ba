"""Fraud scoring: stage the nightly table as records in a scratch folder and train."""
import os
import tempfile

import pandas as pd
import tensorflow as tf

FEATURES = [f"v{i}" for i in range(28)] + ["amount"]


def write_records(frame, path):
    with tf.io.TFRecordWriter(path) as writer:
        for values, label in zip(frame[FEATURES].to_numpy("float32"), frame["fraud"]):
            ex = tf.train.Example(features=tf.train.Features(feature={
                "x": tf.train.Feature(float_list=tf.train.FloatList(value=values)),
                "y": tf.train.Feature(int64_list=tf.train.Int64List(value=[int(label)])),
            }))
            writer.write(ex.SerializeToString())


def parse(rows):
    ex = tf.io.parse_example(rows, {
        "x": tf.io.FixedLenFeature([len(FEATURES)], tf.float32),
        "y": tf.io.FixedLenFeature([], tf.int64),
    })
    return ex["x"], ex["y"]


def staged(parquet):
    with tempfile.TemporaryDirectory(prefix="fraud_") as scratch:
        target = os.path.join(scratch, "night.tfrecord")
        write_records(pd.read_parquet(parquet), target)
        ds = tf.data.TFRecordDataset(target)
        ds = ds.shuffle(300_000).batch(2048, drop_remainder=True)
        ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


def mlp():
    net = tf.keras.Sequential([tf.keras.Input((len(FEATURES),))])
    for units in (256, 128, 64):
        net.add(tf.keras.layers.Dense(units, activation="relu"))
    net.add(tf.keras.layers.Dense(1))
    return net


model = mlp()
model.compile("adam", tf.keras.losses.BinaryCrossentropy(from_logits=True),
              metrics=[tf.keras.metrics.AUC(curve="PR", from_logits=True)])
model.fit(staged("/warehouse/transactions/latest.parquet"), epochs=5)
model.save("/models/fraud.keras")
