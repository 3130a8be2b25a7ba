import logging

import numpy as np
import tensorflow as tf

log = logging.getLogger(__name__)
LIMIT = 400.0


def clean(features, price):
    bad = tf.reduce_any(tf.math.is_nan(features))
    if bad:
        tf.print("row with missing values, price", price)
    features = tf.where(tf.math.is_nan(features), tf.zeros_like(features), features)
    return features, tf.minimum(price, LIMIT)


def build(x, y, batch_size=512):
    ds = tf.data.Dataset.from_tensor_slices((x, y))
    ds = ds.shuffle(len(x))
    ds = ds.map(clean, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


def main():
    logging.basicConfig(level=logging.INFO)
    blob = np.load("listings.npz")
    x, y = blob["x"].astype("float32"), blob["y"].astype("float32")
    ds = build(x, y)
    model = tf.keras.Sequential(
        [
            tf.keras.Input((x.shape[1],)),
            tf.keras.layers.Dense(128, activation="relu"),
            tf.keras.layers.Dense(1),
        ]
    )
    optimizer = tf.keras.optimizers.Adam(1e-3)

    @tf.function
    def step(features, price):
        with tf.GradientTape() as tape:
            pred = tf.squeeze(model(features, training=True), -1)
            loss = tf.reduce_mean(tf.abs(pred - price))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        return loss

    history = []
    rows = 0
    for epoch in range(20):
        total = tf.zeros([])
        for features, price in ds:
            total += step(features, price)
            rows += int(features.shape[0])
        history.append(float(total))
        log.info("epoch %d: %d rows so far, loss %.3f", epoch, rows, history[-1])


if __name__ == "__main__":
    main()
