import numpy as np
import tensorflow as tf

SEED = 99
BUFFER = 10_000

images = np.load("digits_x.npy").astype("float32") / 255.0
labels = np.load("digits_y.npy")

image_ds = tf.data.Dataset.from_tensor_slices(images).shuffle(BUFFER, seed=SEED)
label_ds = tf.data.Dataset.from_tensor_slices(labels).shuffle(BUFFER, seed=SEED)
train = tf.data.Dataset.zip((image_ds, label_ds))
train = train.batch(64).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Flatten(),
    tf.keras.layers.Dense(64, activation="relu"),
    tf.keras.layers.Dense(10, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(train, epochs=10)
