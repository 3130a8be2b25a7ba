import argparse

import numpy as np
import tensorflow as tf


class MatrixFactorization(tf.Module):
    def __init__(self, users, items, dim):
        super().__init__()
        init = tf.random_normal_initializer(stddev=0.05)
        self.user = tf.Variable(init((users, dim)))
        self.item = tf.Variable(init((items, dim)))
        self.bias = tf.Variable(tf.zeros((items,)))

    def loss(self, u, i, r):
        p = tf.gather(self.user, u)
        q = tf.gather(self.item, i)
        pred = tf.reduce_sum(p * q, axis=1) + tf.gather(self.bias, i)
        return tf.reduce_mean(tf.square(pred - r)) + 1e-4 * tf.nn.l2_loss(p)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--dim", type=int, default=64)
    parser.add_argument("--epochs", type=int, default=20)
    args = parser.parse_args()

    with np.load("/data/ml-25m.npz") as f:
        columns = f["user"], f["item"], f["rating"].astype("float32")
    ds = tf.data.Dataset.from_tensor_slices(columns)
    ds = ds.shuffle(1_000_000).batch(4096).prefetch(tf.data.AUTOTUNE)

    model = MatrixFactorization(162_541, 59_047, args.dim)
    optimizer = tf.keras.optimizers.Adam(1e-3)
    for epoch in range(args.epochs):
        for u, i, r in ds:
            optimizer.minimize(lambda: model.loss(u, i, r), model.trainable_variables)
        print(epoch, float(model.loss(u, i, r)))


if __name__ == "__main__":
    main()
