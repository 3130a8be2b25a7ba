import numpy as np
import tensorflow as tf

images = np.load("digits.npy")
labels = np.load("digit_labels.npy")
BATCH = 64


def resize(img, y):
    return tf.image.resize(img, (96, 96)) / 255.0, y


ds = tf.data.Dataset.from_tensor_slices((images, labels))
ds = ds.map(resize, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.shuffle(4096, seed=1).repeat()
ds = ds.cache()
ds = ds.batch(BATCH, drop_remainder=True)
ds = ds.prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(10, activation="softmax"),
])
model.compile("sgd", "sparse_categorical_crossentropy")
model.fit(ds, epochs=10, steps_per_epoch=len(labels) // BATCH)
