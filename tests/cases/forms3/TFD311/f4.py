import numpy as np
import tensorflow as tf

rng = np.random.default_rng(0)
features = rng.normal(size=(4096, 20)).astype("float32")
targets = np.sort(features.sum(axis=1))
n = len(features)

dataset = tf.data.Dataset.from_tensor_slices({"features": features, "target": targets})
dataset = dataset.shuffle(n // 1024, seed=0)
dataset = dataset.batch(32).prefetch(tf.data.AUTOTUNE)

w = tf.Variable(tf.zeros((20, 1)))
b = tf.Variable(0.0)
opt = tf.keras.optimizers.SGD(0.05)
for epoch in range(50):
    for batch in dataset:
        with tf.GradientTape() as tape:
            pred = tf.squeeze(batch["features"] @ w, 1) + b
            loss = tf.reduce_mean(tf.square(pred - batch["target"]))
        opt.apply_gradients(zip(tape.gradient(loss, [w, b]), [w, b]))
