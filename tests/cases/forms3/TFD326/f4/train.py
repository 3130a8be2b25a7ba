import tensorflow as tf

import config
from reader import examples

ds = examples(config.FILES)
ds = ds.shuffle(config.BUFFER).batch(config.BATCH)
ds = ds.map(config.features, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)
model = tf.keras.Sequential([tf.keras.layers.Dense(32, activation="relu"), tf.keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(ds, epochs=4)
