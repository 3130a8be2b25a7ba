import numpy as np
import tensorflow as tf

from encode import multi_hot

baskets = np.load("baskets.npz")
ds = tf.data.Dataset.from_tensor_slices({"items": baskets["items"], "total": baskets["total"]})
ds = ds.shuffle(len(baskets["total"]), seed=0, reshuffle_each_iteration=False).batch(256)
ds = ds.map(multi_hot, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.cache().prefetch(tf.data.AUTOTUNE)

net = tf.keras.Sequential([tf.keras.layers.Dense(64, activation="relu"), tf.keras.layers.Dense(1)])
opt = tf.keras.optimizers.Adam()
for epoch in range(20):
    for batch in ds:
        with tf.GradientTape() as tape:
            pred = net(batch["items"], training=True)[:, 0]
            loss = tf.reduce_mean(tf.abs(pred - batch["total"]))
        grads = tape.gradient(loss, net.trainable_variables)
        opt.apply_gradients(zip(grads, net.trainable_variables))
