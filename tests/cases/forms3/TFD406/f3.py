import numpy as np
import tensorflow as tf


class Batches:
    def __init__(self, x, y, batch):
        ds = tf.data.Dataset.from_tensor_slices((x, y))
        self.ds = ds.shuffle(len(x)).batch(batch).prefetch(tf.data.AUTOTUNE)

    def __len__(self):
        n = self.ds.reduce(np.int64(0), lambda total, _: total + 1)
        return int(n)

    def __iter__(self):
        return iter(self.ds)


arrays = np.load("pumps.npz")
batches = Batches(arrays["x"].astype("float32"), arrays["y"].astype("float32"), 64)
bar = tf.keras.utils.Progbar(len(batches))
w = tf.Variable(tf.zeros((arrays["x"].shape[1],)))
opt = tf.keras.optimizers.Adam(0.01)
for epoch in range(10):
    for i, (x, y) in enumerate(batches):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
        opt.apply_gradients([(tape.gradient(loss, w), w)])
        bar.update(i + 1, [("loss", float(loss))])
