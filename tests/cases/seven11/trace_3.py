import functools
import itertools

import tensorflow as tf
import tensorflow_datasets as tfds


def traced(name):
    counter = itertools.count()

    def deco(fn):
        @functools.wraps(fn)
        def wrapper(*args, **kwargs):
            with tf.profiler.experimental.Trace(name, step_num=next(counter), _r=1):
                return fn(*args, **kwargs)

        return wrapper

    return deco


class Pix2Pix:
    def __init__(self):
        self.gen = tf.keras.Sequential([
            tf.keras.layers.Conv2D(64, 4, strides=2, padding="same", activation="relu"),
            tf.keras.layers.Conv2D(128, 4, strides=2, padding="same", activation="relu"),
            tf.keras.layers.Conv2DTranspose(64, 4, strides=2, padding="same", activation="relu"),
            tf.keras.layers.Conv2DTranspose(3, 4, strides=2, padding="same", activation="tanh"),
        ])
        self.opt = tf.keras.optimizers.Adam(2e-4, beta_1=0.5)

    @traced("gan_step")
    def step(self, a, b):
        return self._step(a, b)

    @tf.function
    def _step(self, a, b):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.abs(self.gen(a, training=True) - b))
        grads = tape.gradient(loss, self.gen.trainable_variables)
        self.opt.apply_gradients(zip(grads, self.gen.trainable_variables))
        return loss


def pairs(batch):
    def split(ex):
        source = tf.image.resize(ex["input_image"], (256, 256)) / 127.5 - 1.0
        target = tf.image.resize(ex["real_image"], (256, 256)) / 127.5 - 1.0
        return source, target

    ds = tfds.load("my_facades", split="train", shuffle_files=True)
    ds = ds.shuffle(1000).repeat().map(split, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def main():
    gan = Pix2Pix()
    data = iter(pairs(16))
    for _ in range(200):
        gan.step(*next(data))
    with tf.profiler.experimental.Profile("/tmp/pix2pix/logs"):
        for _ in range(20):
            a, b = next(data)
            gan.step(a, b)
    for step in range(40_000):
        loss = gan.step(*next(data))
        if step % 1000 == 0:
            gan.gen.save_weights(f"/tmp/pix2pix/{step}.weights.h5")
            print(step, float(loss))


if __name__ == "__main__":
    main()
