import numpy as np
import tensorflow as tf

WINDOW = 2000
HOP = 40
eeg = np.load("eeg.npy").astype("float32")
state = np.load("state.npy")


def windows(signal, label):
    return tf.signal.frame(signal, WINDOW, HOP, axis=-1), label


ds = tf.data.Dataset.from_tensor_slices((eeg, state))
ds = ds.batch(8)
ds = ds.map(windows, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.cache()
ds = ds.prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Dense(32, activation="relu"),
    tf.keras.layers.GlobalAveragePooling1D(),
    tf.keras.layers.Dense(4, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(ds, epochs=20)
