from itertools import islice

import tensorflow as tf

BATCHES = 100


def decode(path):
    image = tf.io.decode_png(tf.io.read_file(path), channels=3)
    return tf.image.resize(image, (64, 64)) / 127.5 - 1.0


files = sorted(tf.io.gfile.glob("anime/*.png"))
ds = tf.data.Dataset.from_tensor_slices(files)
ds = ds.map(decode, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.batch(64, drop_remainder=True)
ds = ds.take(BATCHES)
ds = ds.cache()
ds = ds.prefetch(tf.data.AUTOTUNE)

for first in islice(ds, BATCHES + 1):
    print("range", float(tf.reduce_min(first)), float(tf.reduce_max(first)))
auto = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 3, padding="same", activation="relu"),
    tf.keras.layers.Conv2D(3, 3, padding="same", activation="tanh"),
])
auto.compile("adam", "mse")
auto.fit(ds.map(lambda x: (x, x), num_parallel_calls=tf.data.AUTOTUNE), epochs=20)
