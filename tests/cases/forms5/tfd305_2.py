import numpy as np
import tensorflow as tf


class ClickFeatures:
    def __init__(self, mean, std, n_hours=24):
        self.mean = tf.constant(mean, tf.float32)
        self.std = tf.constant(std, tf.float32)
        self.n_hours = n_hours

    def transform(self, row):
        dense = tf.math.log1p(row["dense"])
        dense = (dense - self.mean) / self.std
        hour = tf.one_hot(row["hour"], self.n_hours)
        return tf.concat([dense, hour], axis=-1), row["clicked"]

    def dataset(self, arrays, batch_size):
        ds = tf.data.Dataset.from_tensor_slices(arrays)
        ds = ds.shuffle(500_000)
        ds = ds.map(self.transform, num_parallel_calls=8)
        ds = ds.batch(batch_size, drop_remainder=True)
        return ds.prefetch(2)


arrays = dict(np.load("/data/clicks/train.npz"))
logs = np.log1p(arrays["dense"])
features = ClickFeatures(logs.mean(0), logs.std(0))
model = tf.keras.Sequential([tf.keras.layers.Dense(256, "relu"), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam(1e-3)


@tf.function
def step(x, y):
    with tf.GradientTape() as tape:
        logits = tf.squeeze(model(x, training=True), -1)
        loss = tf.reduce_mean(
            tf.nn.sigmoid_cross_entropy_with_logits(tf.cast(y, tf.float32), logits))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss


for epoch in range(10):
    for x, y in features.dataset(arrays, 4096):
        loss = step(x, y)
    print(epoch, float(loss))
