import numpy as np
import tensorflow as tf

x = np.load("x.npy").astype("float32")
y = np.load("y.npy")
batch_size = 32

dataset = tf.data.Dataset.from_tensor_slices((x, y))
dataset = dataset.batch(batch_size)
dataset = dataset.shuffle(buffer_size=1000)
dataset = dataset.prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Dense(64, activation="relu"),
    tf.keras.layers.Dense(3, activation="softmax"),
])
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy")
model.fit(dataset, epochs=15)
