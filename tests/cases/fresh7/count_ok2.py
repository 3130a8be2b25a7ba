import functools

import numpy as np
import tensorflow as tf

autotuned = functools.partial(tf.data.Dataset.map, num_parallel_calls=tf.data.AUTOTUNE)


def statistics(ds, classes):
    """Weights of the classes and the mean spectrum: one pass over the training part."""
    n, per_class, total = 0, np.zeros(classes), 0.0
    for spectrum, label in ds:
        n += 1
        per_class[int(label)] += 1
        total = total + spectrum.numpy()
    weights = n / (classes * np.maximum(per_class, 1))
    return {i: float(w) for i, w in enumerate(weights)}, (total / n).astype("float32")


def load(path):
    with np.load(path) as z:
        return z["spectra"].astype("float32"), z["minerals"].astype("int32")


spectra, minerals = load("data/minerals.npz")
CLASSES = int(minerals.max()) + 1
raw = tf.data.Dataset.from_tensor_slices((spectra, minerals))
class_weight, mean = statistics(raw, CLASSES)

train = raw.shuffle(len(minerals)).batch(64)
train = autotuned(train, lambda s, m: (s - mean, m)).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Dense(128, activation="relu"),
    tf.keras.layers.Dropout(0.4),
    tf.keras.layers.Dense(CLASSES, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(train, epochs=40, class_weight=class_weight)
