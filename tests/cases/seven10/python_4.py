"""Licence plates: OpenCV rectification lifted into the input pipeline."""
import functools
import glob

import cv2
import numpy as np
import tensorflow as tf


def lifted(*dtypes, shapes):
    """Makes a Python function callable on tensors."""
    def decorate(fn):
        @functools.wraps(fn)
        def call(*tensors):
            outputs = tf.py_function(fn, tensors, dtypes)
            return tuple(tf.ensure_shape(o, s) for o, s in zip(outputs, shapes))
        return call
    return decorate


@lifted(tf.float32, tf.int32, shapes=[(64, 192, 1), ()])
def rectify(path, label):
    image = cv2.imread(path.numpy().decode(), cv2.IMREAD_GRAYSCALE)
    image = cv2.fastNlMeansDenoising(image, h=7)
    image = cv2.equalizeHist(cv2.resize(image, (192, 64)))
    return image[..., np.newaxis].astype(np.float32) / 255.0, label


def plates(root, batch_size):
    files = sorted(glob.glob(f"{root}/*/*.jpg"))
    labels = np.array([int(f.split("/")[-2]) for f in files], np.int32)
    return (
        tf.data.Dataset.from_tensor_slices((files, labels))
        .shuffle(len(files))
        .map(rectify, num_parallel_calls=tf.data.AUTOTUNE)
        .batch(batch_size, drop_remainder=True)
        .prefetch(tf.data.AUTOTUNE)
    )


model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.MaxPool2D(),
    tf.keras.layers.Conv2D(64, 3, activation="relu"),
    tf.keras.layers.GlobalMaxPool2D(),
    tf.keras.layers.Dense(36),
])
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
optimizer = tf.keras.optimizers.AdamW(1e-3)


@tf.function
def step(x, y):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x, training=True))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss


if __name__ == "__main__":
    for epoch in range(20):
        for x, y in plates("/data/plates", 128):
            step(x, y)
