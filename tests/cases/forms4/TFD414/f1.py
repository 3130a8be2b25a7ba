import numpy as np
import tensorflow as tf

table = np.load("houses.npz")
houses = tf.data.Dataset.from_tensor_slices((table["x"], table["y"]))
houses = houses.shuffle(10_000, seed=2, reshuffle_each_iteration=False)

train = houses.take(8000)
val = houses.take(2000)

train = train.shuffle(8000).batch(64).prefetch(tf.data.AUTOTUNE)
val = val.batch(64).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Normalization(),
    tf.keras.layers.Dense(64, activation="relu"),
    tf.keras.layers.Dense(1),
])
model.compile("adam", "mae")
model.fit(train, validation_data=val, epochs=40)
