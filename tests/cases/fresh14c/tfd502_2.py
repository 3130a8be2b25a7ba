import contextlib

import numpy as np
import tensorflow as tf

profiler = tf.profiler.experimental


class StepProfiler:
    def __init__(self, logdir, first=20, count=5):
        self.logdir = logdir
        self.first = first
        self.last = first + count - 1

    @contextlib.contextmanager
    def step(self, number):
        if number == self.first:
            profiler.start(self.logdir)
        with profiler.Trace(f"fraud_step_{number}", _r=1):
            yield
        if number == self.last:
            profiler.stop()


def transactions(path, batch_size):
    table = np.load(path)
    amounts = table["amounts"].astype(np.float32)
    labels = table["fraud"].astype(np.float32)
    ds = tf.data.Dataset.from_tensor_slices((amounts, labels))
    ds = ds.shuffle(len(labels)).repeat()
    return ds.batch(batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE), amounts.shape[1]


class FraudTrainer:
    def __init__(self, width):
        self.model = tf.keras.Sequential(
            [
                tf.keras.Input([width]),
                tf.keras.layers.Dense(256, activation="relu"),
                tf.keras.layers.Dense(64, activation="relu"),
                tf.keras.layers.Dense(1),
            ]
        )
        self.optimizer = tf.keras.optimizers.Adam()
        self.loss = tf.keras.losses.BinaryCrossentropy(from_logits=True)
        self.mean = tf.keras.metrics.Mean()

    @tf.function
    def update(self, amounts, labels):
        with tf.GradientTape() as tape:
            loss = self.loss(labels[:, None], self.model(amounts, training=True))
        grads = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.model.trainable_variables))
        self.mean.update_state(loss)

    def fit(self, dataset, steps, step_profiler):
        iterator = iter(dataset)
        for number in range(steps):
            with step_profiler.step(number):
                self.update(*next(iterator))
            if (number + 1) % 500 == 0:
                print(number + 1, float(self.mean.result()))
                self.mean.reset_state()


if __name__ == "__main__":
    data, columns = transactions("transactions.npz", 2048)
    trainer = FraudTrainer(columns)
    trainer.fit(data, 5000, StepProfiler("logs/fraud"))
