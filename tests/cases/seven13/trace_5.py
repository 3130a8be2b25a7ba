"""Two-tower retrieval trainer; profiling scope is a small context manager."""
import contextlib

import numpy as np
import tensorflow as tf


class Profiler:
    def __init__(self, logdir, start, length):
        self.logdir, self.start, self.end = logdir, start, start + length

    @contextlib.contextmanager
    def step(self, n):
        if n == self.start:
            tf.profiler.experimental.start(self.logdir)
        with tf.profiler.experimental.Trace("retrieval", step_num=n, _r=1):
            yield
        if n == self.end:
            tf.profiler.experimental.stop()


class TwoTower(tf.keras.Model):
    def __init__(self, users, items, dim=64):
        super().__init__()
        self.user = tf.keras.layers.Embedding(users, dim)
        self.item = tf.keras.layers.Embedding(items, dim)

    def call(self, pair):
        u, i = pair
        return tf.matmul(self.user(u), self.item(i), transpose_b=True)


def interactions(path, batch):
    z = np.load(path)
    ds = tf.data.Dataset.from_tensor_slices((z["user"], z["item"]))
    ds = ds.shuffle(2_000_000).batch(batch, drop_remainder=True)
    return ds.prefetch(tf.data.AUTOTUNE), int(z["user"].max()) + 1, int(z["item"].max()) + 1


def fit(path, epochs=5, batch=4096):
    data, users, items = interactions(path, batch)
    model = TwoTower(users, items)
    optimizer = tf.keras.optimizers.Adagrad(0.05)
    profiler = Profiler("/tmp/retrieval", start=300, length=25)

    @tf.function(jit_compile=False)
    def update(user, item):
        with tf.GradientTape() as tape:
            logits = model((user, item))
            labels = tf.range(tf.shape(logits)[0])
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        return loss

    n = 0
    for epoch in range(epochs):
        for user, item in data:
            with profiler.step(n):
                loss = update(user, item)
            n += 1
        print("epoch", epoch, "loss", loss.numpy())
    return model


if __name__ == "__main__":
    fit("/data/interactions_90m.npz")
