import contextlib

import tensorflow as tf
from tensorflow.profiler import experimental as profiler


class StepProfiler:
    def __init__(self, logdir, first=50, count=5):
        self.logdir = logdir
        self.first = first
        self.last = first + count

    @contextlib.contextmanager
    def step(self, number):
        if number == self.first:
            profiler.start(self.logdir)
        kwargs = {"step_num": number, "_r": 1}
        with profiler.Trace("train_step", **kwargs):
            yield
        if number == self.last:
            profiler.stop()


class Trainer:
    def __init__(self, model, optimizer, loss_fn, logdir):
        self.model, self.optimizer, self.loss_fn = model, optimizer, loss_fn
        self.profile = StepProfiler(logdir)

    @tf.function
    def _update(self, x, y):
        with tf.GradientTape() as tape:
            loss = self.loss_fn(y, self.model(x, training=True))
        variables = self.model.trainable_variables
        self.optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))

    def train(self, dataset, steps):
        batches = iter(dataset.prefetch(tf.data.AUTOTUNE))
        for number in range(steps):
            with self.profile.step(number):
                x, y = next(batches)
                self._update(x, y)
