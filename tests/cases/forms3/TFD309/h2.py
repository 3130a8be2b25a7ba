import os

import numpy as np
import tensorflow as tf

world = int(os.environ["WORLD_SIZE"])
rank = int(os.environ["RANK"])
data = np.load("train.npz")

ds = tf.data.Dataset.from_tensor_slices((data["x"], data["y"]))
ds = ds.shard(world, rank)
ds = ds.shuffle(10000)
ds = ds.batch(256)
ds = ds.map(lambda x, y: (tf.cast(x, tf.float32) / 255.0, y), num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([tf.keras.layers.Dense(32, activation="relu"), tf.keras.layers.Dense(10)])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(ds, epochs=5)
