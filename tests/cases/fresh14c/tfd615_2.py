import argparse

import numpy as np
import tensorflow as tf

CHANNELS, LENGTH = 3, 400


class Worker:
    """One copy of the network that lives on one card."""

    def __init__(self, device, rate):
        self.device = device
        with tf.device(device):
            self.net = tf.keras.Sequential(
                [
                    tf.keras.Input([LENGTH, CHANNELS]),
                    tf.keras.layers.Conv1D(64, 5, activation="relu"),
                    tf.keras.layers.Conv1D(64, 5, activation="relu"),
                    tf.keras.layers.GlobalAveragePooling1D(),
                    tf.keras.layers.Dense(6),
                ]
            )
            self.optimizer = tf.keras.optimizers.SGD(rate)
            self.optimizer.build(self.net.trainable_variables)
        self.loss = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
        self.step = tf.function(self._step)

    def _step(self, signal, activity):
        with tf.GradientTape() as tape:
            loss = self.loss(activity, self.net(signal, training=True))
        grads = tape.gradient(loss, self.net.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.net.trainable_variables))

    def train(self, signal, activity):
        with tf.device(self.device):
            self.step(signal, activity)


class Pool:
    def __init__(self, count, rate):
        self.workers = [Worker(f"/GPU:{index}", rate) for index in range(count)]

    def train(self, batches):
        source = iter(batches)
        for worker in self.workers:
            worker.train(*next(source))

    def synchronise(self):
        weights = [worker.net.get_weights() for worker in self.workers]
        mean = [np.mean(parts, axis=0) for parts in zip(*weights)]
        for worker in self.workers:
            worker.net.set_weights(mean)


def recordings(path, batch_size):
    with np.load(path) as archive:
        signals = archive["signals"].astype(np.float32)
        activities = archive["activities"]
    ds = tf.data.Dataset.from_tensor_slices((signals, activities))
    ds = ds.shuffle(len(activities)).repeat().batch(batch_size, drop_remainder=True)
    return ds.prefetch(tf.data.AUTOTUNE)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--gpus", type=int, default=4)
    parser.add_argument("--rounds", type=int, default=10_000)
    parser.add_argument("--rate", type=float, default=0.05)
    args = parser.parse_args()

    pool = Pool(args.gpus, args.rate)
    batches = iter(recordings("har.npz", 128))
    for number in range(args.rounds):
        pool.train(batches)
        if number % 20 == 19:
            pool.synchronise()
    pool.workers[0].net.save("har.keras")


if __name__ == "__main__":
    main()
