import numpy as np
import tensorflow as tf

x = np.load("bikes_x.npy").astype("float32")
y = np.load("bikes_y.npy").astype("float32")

train = tf.data.Dataset.from_tensor_slices((x, y))
train = train.shuffle(len(x))
train = train.repeat()
train = train.batch(32)
train = train.prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Dense(64, activation="relu"),
    tf.keras.layers.Dense(1),
])
model.compile(optimizer="adam", loss="mse")
model.fit(train, epochs=10)
