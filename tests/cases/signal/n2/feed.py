import numpy as np
import tensorflow as tf


class Simulator:
    def __init__(self, seed):
        self.state = np.random.RandomState(seed)

    def sample(self):
        return render(self.state)


def dataset(seed, render):
    def generator():
        simulator = Simulator(seed)
        while True:
            scene = simulator.sample()
            yield scene.image(), scene.label()

    return tf.data.Dataset.from_generator(
        generator, output_signature=(tf.TensorSpec([64, 64, 3]), tf.TensorSpec([], tf.int32))
    )


def train(model, render):
    model.fit(dataset(0, render).batch(32).prefetch(2), steps_per_epoch=100)
