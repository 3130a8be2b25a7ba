import numpy as np
import tensorflow as tf

VOCAB = 8000
ids = np.load("windows.npy").astype("int32")

ds = tf.data.Dataset.from_tensor_slices(ids).batch(64, drop_remainder=True)
ds = ds.map(
    lambda w: (tf.one_hot(w[:, :-1], VOCAB), w[:, -1]),
    num_parallel_calls=tf.data.AUTOTUNE,
)
ds = ds.cache()
ds = ds.prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.SimpleRNN(128),
    tf.keras.layers.Dense(VOCAB, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(ds, epochs=5)
