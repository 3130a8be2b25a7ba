import numpy as np
import tensorflow as tf

x = np.load("wine_x.npy").astype("float32")
y = np.load("wine_y.npy")

dataset = tf.data.Dataset.from_tensor_slices((x, y))
dataset.save("wine_dataset")
dataset = dataset.shuffle(len(y), seed=1)
dataset = dataset.batch(32)
dataset = dataset.prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Dense(32, activation="relu"),
    tf.keras.layers.Dense(3, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(dataset, epochs=40)
