import numpy as np
import tensorflow as tf

images = np.load("digits.npy")
labels = np.load("digit_labels.npy")


def resize(img, y):
    return tf.image.resize(img, (96, 96)) / 255.0, y


n = len(labels) // 10
base = tf.data.Dataset.from_tensor_slices((images, labels))
train = base.skip(n).shuffle(4096).repeat()
val = base.take(n)
train = train.map(lambda x, y: resize(tf.image.random_flip_left_right(x), y), num_parallel_calls=tf.data.AUTOTUNE)
val = val.map(resize, num_parallel_calls=tf.data.AUTOTUNE)
train = train.batch(64).prefetch(tf.data.AUTOTUNE)
val = val.batch(64).cache().prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(10, activation="softmax"),
])
model.compile("sgd", "sparse_categorical_crossentropy")
model.fit(train, epochs=10, steps_per_epoch=500, validation_data=val)
