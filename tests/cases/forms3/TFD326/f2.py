import argparse

import tensorflow as tf


def parse(batch):
    d = tf.io.parse_example(batch, {
        "ids": tf.io.FixedLenFeature([64], tf.int64), "label": tf.io.FixedLenFeature([], tf.float32)})
    return d["ids"], d["label"]


def train_input(pattern, batch_size, buffer):
    files = tf.io.gfile.glob(pattern)
    ds = tf.data.TFRecordDataset(files, compression_type="GZIP", num_parallel_reads=tf.data.AUTOTUNE)
    ds = ds.shuffle(buffer)
    ds = ds.batch(batch_size, drop_remainder=True)
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


p = argparse.ArgumentParser()
p.add_argument("--files", default="tweets-*.gz")
p.add_argument("--batch", type=int, default=256)
p.add_argument("--buffer", type=int, default=100000)
a = p.parse_args()
model = tf.keras.Sequential([
    tf.keras.layers.Embedding(30000, 64),
    tf.keras.layers.GlobalAveragePooling1D(),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
model.compile("adam", "binary_crossentropy")
model.fit(train_input(a.files, a.batch, a.buffer), epochs=3)
