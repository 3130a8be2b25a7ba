from collections import deque
from functools import reduce

import numpy as np
import tensorflow as tf

AUTO = tf.data.AUTOTUNE
rng = np.random.default_rng(70)
ring = deque()
for start in range(4):
    x = rng.random((25, 8)).astype("float32")
    ring.append(tf.data.Dataset.from_tensor_slices((x, x.argmax(axis=1))))

scores = []
for _ in range(len(ring)):
    head, *tail = ring
    valid = head.batch(25).prefetch(AUTO)
    train = reduce(lambda left, right: left.concatenate(right), tail)
    train = train.shuffle(75).batch(15).prefetch(AUTO)
    model = tf.keras.Sequential([tf.keras.Input((8,)), tf.keras.layers.Dense(8, activation="softmax")])
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(train, epochs=2, verbose=0)
    scores.append(model.evaluate(valid, verbose=0)[1])
    ring.rotate(-1)
print(scores)
