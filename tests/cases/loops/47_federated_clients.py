"""Federated averaging, simulated on one machine."""
import random

import numpy as np
import tensorflow as tf

AUTO = tf.data.AUTOTUNE
clients = []
while len(clients) < 5:
    rng = np.random.default_rng(len(clients))
    x = rng.normal(loc=len(clients) / 5, size=(20, 4)).astype("float32")
    local = tf.data.Dataset.from_tensor_slices((x, x @ np.float32([[1], [2], [0], [-1]])))
    clients.append(local.shuffle(20).batch(5).prefetch(AUTO))

x = np.random.default_rng(99).normal(size=(30, 4)).astype("float32")
central = tf.data.Dataset.from_tensor_slices((x, x @ np.float32([[1], [2], [0], [-1]]))).batch(30).prefetch(AUTO)

model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(1)])
model.compile(tf.keras.optimizers.SGD(0.05), "mse")
weights = model.get_weights()
for number in range(3):
    updates = []
    for client in random.sample(clients, 2):
        model.set_weights(weights)
        model.fit(client, epochs=1, verbose=0)
        updates.append(model.get_weights())
    weights = [np.mean(layer, axis=0) for layer in zip(*updates)]
model.set_weights(weights)
print(model.evaluate(central, verbose=0))
