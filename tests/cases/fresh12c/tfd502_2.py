"""Matrix factorisation trainer with an optional profiling window."""
import contextlib
from dataclasses import dataclass

import tensorflow as tf
from tensorflow.profiler import experimental as prof


@dataclass
class ProfileWindow:
    logdir: str
    first: int = 200
    count: int = 6

    def before(self, step):
        if step == self.first:
            prof.start(self.logdir)

    def after(self, step):
        if step == self.first + self.count - 1:
            prof.stop()

    def annotate(self, step):
        if self.first <= step < self.first + self.count:
            return prof.Trace("mf_step", step_num=step)
        return contextlib.nullcontext()


class MatrixFactorization(tf.Module):
    def __init__(self, users, items, dim=64):
        super().__init__()
        self.u = tf.Variable(tf.random.normal([users, dim], stddev=0.05))
        self.v = tf.Variable(tf.random.normal([items, dim], stddev=0.05))
        self.opt = tf.keras.optimizers.Adagrad(0.1)

    @tf.function
    def train_step(self, user, item, rating):
        with tf.GradientTape() as tape:
            dot = tf.reduce_sum(tf.gather(self.u, user) * tf.gather(self.v, item), -1)
            loss = tf.reduce_mean(tf.square(dot - rating))
        grads = tape.gradient(loss, [self.u, self.v])
        self.opt.apply_gradients(zip(grads, [self.u, self.v]))
        return loss


def ratings(files, batch=8192):
    ds = tf.data.TextLineDataset(files, num_parallel_reads=8).shuffle(1_000_000)
    ds = ds.repeat().batch(batch, drop_remainder=True)
    return ds.map(lambda lines: tuple(tf.io.decode_csv(lines, [0, 0, 0.0])),
                  num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


def main():
    window = ProfileWindow("/logs/mf")
    model = MatrixFactorization(480_190, 17_771)
    data = iter(ratings(tf.io.gfile.glob("/data/netflix/ratings-*.csv")))
    for step in range(50_000):
        window.before(step)
        with window.annotate(step):
            loss = model.train_step(*next(data))
        window.after(step)
        if step % 1000 == 0:
            tf.print(step, loss)


if __name__ == "__main__":
    main()
