import argparse

import tensorflow as tf

parser = argparse.ArgumentParser()
parser.add_argument("--debug", action="store_true")
args = parser.parse_args()
if args.debug:
    tf.data.experimental.enable_debug_mode()


def features(line):
    values = tf.strings.to_number(tf.strings.split(line, ","))
    return tf.ensure_shape(values[1:], [10]), values[0]


files = tf.data.Dataset.list_files("/data/housing/*.csv")
ds = files.interleave(tf.data.TextLineDataset, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.shuffle(10_000).map(features, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.batch(128).prefetch(tf.data.AUTOTUNE)
model = tf.keras.Sequential([tf.keras.layers.Dense(32, "relu"), tf.keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(ds, epochs=10)
