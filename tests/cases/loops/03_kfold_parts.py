"""Five-fold cross-validation over equal parts."""
from functools import reduce

import numpy as np
import tensorflow as tf

K = 5
rng = np.random.default_rng(11)
x = rng.normal(size=(100, 6)).astype(np.float32)
y = (x[:, 0] > 0).astype(np.float32)
order = rng.permutation(len(x))

parts = []
for index in np.array_split(order, K):
    parts.append(tf.data.Dataset.from_tensor_slices((x[index], y[index])))


def build():
    net = tf.keras.Sequential([tf.keras.Input((6,)), tf.keras.layers.Dense(1, activation="sigmoid")])
    net.compile("sgd", "binary_crossentropy", metrics=["accuracy"])
    return net


accuracies = []
for i, held_out in enumerate(parts):
    others = [part for j, part in enumerate(parts) if j != i]
    train = reduce(lambda a, b: a.concatenate(b), others)
    train = train.shuffle(100).batch(10).prefetch(tf.data.AUTOTUNE)
    valid = held_out.batch(10).prefetch(tf.data.AUTOTUNE)
    net = build()
    net.fit(train, epochs=2, verbose=0)
    accuracies.append(net.evaluate(valid, verbose=0)[1])
print(np.mean(accuracies))
