"""Trains a small ConvNet on CIFAR-100 and profiles a window of steps."""
import argparse

import tensorflow as tf


def make_data(batch):
    (x, y), _ = tf.keras.datasets.cifar100.load_data()
    ds = tf.data.Dataset.from_tensor_slices((x, y[:, 0])).shuffle(50_000).repeat()
    ds = ds.batch(batch, drop_remainder=True)
    ds = ds.map(lambda a, b: (tf.cast(a, tf.float32) / 255.0, b), num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


class Loop:
    def __init__(self, args):
        self.args = args
        self.model = tf.keras.applications.ResNet50V2(weights=None, classes=100, input_shape=(32, 32, 3))
        self.opt = tf.keras.optimizers.SGD(0.1, momentum=0.9)
        self.loss = tf.keras.losses.SparseCategoricalCrossentropy()

    @tf.function
    def train_step(self, x, y):
        with tf.GradientTape() as tape:
            loss = self.loss(y, self.model(x, training=True))
        grads = tape.gradient(loss, self.model.trainable_variables)
        self.opt.apply_gradients(zip(grads, self.model.trainable_variables))
        return loss

    def run(self):
        first, last = self.args.profile
        data = make_data(self.args.batch).take(self.args.steps)
        for step, (x, y) in data.enumerate():
            n = int(step)
            if n == first:
                tf.profiler.experimental.start(self.args.logdir)
            with tf.profiler.experimental.Trace("train", step_num=n, _r=1):
                loss = self.train_step(x, y)
            if n == last:
                tf.profiler.experimental.stop()
            if n % 500 == 0:
                print(n, float(loss))


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--batch", type=int, default=512)
    p.add_argument("--steps", type=int, default=40_000)
    p.add_argument("--profile", type=int, nargs=2, default=(200, 260))
    p.add_argument("--logdir", default="/tmp/cifar100/prof")
    Loop(p.parse_args()).run()
