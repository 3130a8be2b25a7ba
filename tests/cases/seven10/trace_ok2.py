"""Rating factorisation; the traced unit of work takes its own batch."""
import functools

import numpy as np
import tensorflow as tf
from tensorflow.profiler import experimental as profiler


def traced(name):
    def decorate(fn):
        counter = {"step": 0}

        @functools.wraps(fn)
        def wrapper(*args):
            with profiler.Trace(name, step_num=counter["step"], _r=1):
                result = fn(*args)
            counter["step"] += 1
            return result
        return wrapper
    return decorate


class Factors(tf.Module):
    def __init__(self, users, items, rank=64):
        super().__init__()
        self.u = tf.Variable(tf.random.normal([users, rank], stddev=0.05))
        self.v = tf.Variable(tf.random.normal([items, rank], stddev=0.05))
        self.optimizer = tf.keras.optimizers.Adagrad(0.05)

    @tf.function
    def step(self, user, item, rating):
        with tf.GradientTape() as tape:
            guess = tf.reduce_sum(tf.gather(self.u, user) * tf.gather(self.v, item), -1)
            loss = tf.reduce_mean(tf.square(guess - rating))
        weights = [self.u, self.v]
        self.optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
        return loss

    @traced("train")
    def advance(self, iterator):
        user, item, rating = next(iterator)
        return self.step(user, item, rating)


def ratings(path, batch_size=8192):
    store = np.load(path)
    ds = tf.data.Dataset.from_tensor_slices((store["user"], store["item"], store["rating"]))
    ds = ds.shuffle(1_000_000).repeat().batch(batch_size, drop_remainder=True)
    return ds.prefetch(tf.data.AUTOTUNE)


def main(steps=30_000, window=(500, 530)):
    iterator = iter(ratings("/data/ml25m.npz"))
    model = Factors(162_541, 62_423)
    for i in range(steps):
        if i == window[0]:
            profiler.start("/logs/factors")
        loss = model.advance(iterator)
        if i == window[1]:
            profiler.stop()
            print(i, float(loss))


if __name__ == "__main__":
    main()
