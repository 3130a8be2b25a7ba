import numpy as np
import tensorflow as tf


class Recorder:
    def __init__(self):
        self._demos = []

    def record(self, episode):
        self._demos.append(np.stack(episode))

    def dataset(self):
        ds = tf.data.Dataset.from_generator(lambda: self._demos, tf.float32)
        return ds.repeat().shuffle(len(self._demos))


def make(environment, wanted):
    recorder, saved = Recorder(), 0
    while saved < wanted:
        if environment.reward > 0:
            recorder.record(environment.run())
            saved += 1
    return recorder.dataset()
