import numpy as np
import tensorflow as tf

x = np.load("iris_x.npy").astype("float32")
y = np.load("iris_y.npy")
n = len(y)

ds = tf.data.Dataset.from_tensor_slices((x, y))
ds = ds.shuffle(n, seed=42, reshuffle_each_iteration=False)
train_ds = ds.take(int(0.8 * n))
val_ds = ds.skip(int(0.8 * n))
train_ds = train_ds.shuffle(n).batch(16).prefetch(tf.data.AUTOTUNE)
val_ds = val_ds.batch(16).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Dense(16, activation="relu"),
    tf.keras.layers.Dense(3, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(train_ds, validation_data=val_ds, epochs=50)
