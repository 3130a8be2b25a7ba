import contextlib

import tensorflow as tf


@contextlib.contextmanager
def step_annotation(step, name="train", enabled=True):
    if not enabled:
        yield
        return
    with tf.profiler.experimental.Trace(name, step_num=step, _r=1):
        yield


@contextlib.contextmanager
def session(logdir):
    tf.profiler.experimental.start(logdir)
    try:
        yield
    finally:
        tf.profiler.experimental.stop()
