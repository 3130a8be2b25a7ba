import numpy as np
import tensorflow as tf

x = np.load("embeddings.npy")
y = np.load("classes.npy")
STEPS = len(x) // 128

train = (
    tf.data.Dataset.from_tensor_slices((x, y))
    .repeat()
    .shuffle(10000)
    .batch(128)
    .prefetch(tf.data.AUTOTUNE)
)
model = tf.keras.Sequential([
    tf.keras.layers.Dense(256, activation="relu"),
    tf.keras.layers.Dense(50, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(train, epochs=20, steps_per_epoch=STEPS)
