import os

import boto3
import numpy as np
import tensorflow as tf

BUCKET = "ecg-archive"
LEADS, SAMPLES = 12, 5000
CORES = os.cpu_count()


class EcgStore:
    def __init__(self, bucket):
        self.client = boto3.client("s3")
        self.bucket = bucket

    def keys(self, prefix):
        pages = self.client.get_paginator("list_objects_v2").paginate(Bucket=self.bucket, Prefix=prefix)
        return [o["Key"] for page in pages for o in page["Contents"]]

    def get(self, key):
        body = self.client.get_object(Bucket=self.bucket, Key=key.decode())["Body"].read()
        return np.frombuffer(body, np.float32).reshape(SAMPLES, LEADS)


def recordings(store, prefix, batch):
    keys = store.keys(prefix)
    targets = [float("/af/" in k) for k in keys]

    def pull(key, target):
        signal = tf.numpy_function(store.get, [key], tf.float32)
        return tf.ensure_shape(signal, (SAMPLES, LEADS)), target

    return (
        tf.data.Dataset.from_tensor_slices((keys, targets))
        .shuffle(len(keys))
        .map(pull, num_parallel_calls=CORES, deterministic=False)
        .batch(batch)
        .prefetch(tf.data.AUTOTUNE)
    )


def build():
    inp = tf.keras.Input((SAMPLES, LEADS))
    x = inp
    for filters in (32, 64, 128):
        x = tf.keras.layers.Conv1D(filters, 15, strides=4, activation="relu")(x)
    x = tf.keras.layers.GlobalAveragePooling1D()(x)
    return tf.keras.Model(inp, tf.keras.layers.Dense(1, activation="sigmoid")(x))


if __name__ == "__main__":
    data = recordings(EcgStore(BUCKET), "train/", 64)
    net = build()
    net.compile("adam", "binary_crossentropy", [tf.keras.metrics.AUC()])
    net.fit(data, epochs=2)
