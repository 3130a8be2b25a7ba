import argparse

import numpy as np
import tensorflow as tf
from tensorflow import profiler


class Autoencoder(tf.keras.Model):
    def __init__(self, width, code):
        super().__init__()
        self.enc = tf.keras.Sequential([tf.keras.layers.Dense(512, "relu"), tf.keras.layers.Dense(code)])
        self.dec = tf.keras.Sequential([tf.keras.layers.Dense(512, "relu"), tf.keras.layers.Dense(width)])

    def call(self, x):
        return self.dec(self.enc(x))


def spectra(path, batch):
    x = np.load(path).astype(np.float32)
    ds = tf.data.Dataset.from_tensor_slices(x)
    ds = ds.shuffle(len(x)).repeat().batch(batch, drop_remainder=True)
    return x.shape[1], ds.prefetch(tf.data.AUTOTUNE)


def main(a):
    width, ds = spectra(a.data, a.batch)
    net = Autoencoder(width, a.code)
    opt = tf.keras.optimizers.Adam(a.lr)

    @tf.function
    def step(x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(net(x) - x))
        opt.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))
        return loss

    it = iter(ds)
    profiling = False
    for i in range(a.steps):
        if i == a.profile_from:
            profiler.experimental.start(a.logdir)
            profiling = True
        batch = next(it)
        with profiler.experimental.Trace("step", step_num=i, _r=1):
            loss = step(batch)
        if profiling and i == a.profile_from + a.profile_steps:
            profiler.experimental.stop()
            profiling = False
        if i % 200 == 0:
            print(i, float(loss))


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--data", default="raman.npy")
    p.add_argument("--batch", type=int, default=256)
    p.add_argument("--code", type=int, default=16)
    p.add_argument("--lr", type=float, default=1e-3)
    p.add_argument("--steps", type=int, default=5000)
    p.add_argument("--profile-from", type=int, default=500)
    p.add_argument("--profile-steps", type=int, default=50)
    p.add_argument("--logdir", default="logs/raman")
    main(p.parse_args())
