import tensorflow as tf
import tensorflow_datasets as tfds

from store import store

ds = tfds.load("eurosat", split="train", as_supervised=True)
ds = ds.map(lambda x, y: (tf.io.encode_png(x), y), num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.prefetch(tf.data.AUTOTUNE)
for index, (png, label) in ds.enumerate():
    store("eurosat", int(index), png.numpy(), int(label))
