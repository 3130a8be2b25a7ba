import numpy as np
import tensorflow as tf

data = np.load("bikes.npz")
x, y = data["x"], data["y"]
train_size = 0.8 * len(x)

ds = tf.data.Dataset.from_tensor_slices((x, y))
ds = ds.shuffle(len(x), seed=4, reshuffle_each_iteration=False)
train = ds.take(train_size)
test = ds.skip(train_size)

train = train.shuffle(2048).batch(64).prefetch(tf.data.AUTOTUNE)
test = test.batch(64).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Dense(64, activation="relu"),
    tf.keras.layers.Dense(1),
])
model.compile("adam", "mae")
model.fit(train, epochs=20)
print(model.evaluate(test))
