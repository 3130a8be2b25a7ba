import functools

import keras
import numpy as np
import scipy.ndimage
import tensorflow as tf


def in_numpy(dtype, shape):
    def decorate(function):
        @functools.wraps(function)
        def op(*tensors):
            result = tf.numpy_function(function, tensors, dtype)
            return tf.ensure_shape(result, shape)
        return op
    return decorate


@in_numpy(tf.float32, (28, 28, 1))
def elastic(image):
    shift = [scipy.ndimage.gaussian_filter(np.random.uniform(-1, 1, (28, 28)), 4) * 34 for _ in range(2)]
    grid = np.meshgrid(np.arange(28), np.arange(28), indexing="ij")
    moved = scipy.ndimage.map_coordinates(image[..., 0], [g + s for g, s in zip(grid, shift)], order=1)
    return moved[..., np.newaxis].astype(np.float32)


def augment(image, label):
    return elastic(tf.cast(image, tf.float32) / 255.0), label


(x, y), (vx, vy) = keras.datasets.mnist.load_data()
train = tf.data.Dataset.from_tensor_slices((x[..., None], y))
train = train.shuffle(len(x))
train = train.map(augment, num_parallel_calls=tf.data.AUTOTUNE)
train = train.batch(256).prefetch(tf.data.AUTOTUNE)
valid = tf.data.Dataset.from_tensor_slices((vx[..., None] / np.float32(255), vy)).batch(1000)

model = keras.Sequential([
    keras.Input((28, 28, 1)),
    keras.layers.Conv2D(64, 5, activation="relu"),
    keras.layers.MaxPooling2D(),
    keras.layers.Conv2D(128, 5, activation="relu"),
    keras.layers.GlobalAveragePooling2D(),
    keras.layers.Dropout(0.4),
    keras.layers.Dense(10, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(train, validation_data=valid, epochs=150)
