import argparse

import numpy as np
import tensorflow as tf

parser = argparse.ArgumentParser()
parser.add_argument("--cache", default="/tmp/sensor.cache")
parser.add_argument("--sigma", type=float, default=0.05)
args = parser.parse_args()

signals = np.load("signals.npy").astype("float32")
labels = np.load("labels.npy")


def jitter(item):
    noise = tf.random.normal(tf.shape(item["signal"]), stddev=args.sigma)
    scale = tf.random.uniform([], 0.9, 1.1)
    return {"signal": item["signal"] * scale + noise, "label": item["label"]}


data = tf.data.Dataset.from_tensor_slices({"signal": signals, "label": labels})
noisy = data.map(jitter, num_parallel_calls=tf.data.AUTOTUNE)
stored = noisy.cache(args.cache)
train = stored.shuffle(len(labels)).batch(256).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([tf.keras.layers.Dense(64, activation="relu"), tf.keras.layers.Dense(5)])
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
optimizer = tf.keras.optimizers.Adam()
for epoch in range(40):
    for batch in train:
        with tf.GradientTape() as tape:
            loss = loss_fn(batch["label"], model(batch["signal"], training=True))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
